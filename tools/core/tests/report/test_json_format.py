import json
import math

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_check_core.model.json_value import Json
from mcp_check_core.report.json_format import (
    WRITE_DEPTH,
    DocumentError,
    deeper_than,
    dump_document,
    dump_line,
    load_document,
)

BOUNDS = {"max_bytes": 10_000_000, "max_depth": 250}

safe_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
safe_values: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | safe_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(safe_text, inner, max_size=4),
    max_leaves=20,
)
any_text = st.text(st.characters(codec=None), max_size=10)
any_values = st.recursive(
    st.none()
    | st.integers()
    | st.integers(2**64, 2**800)
    | st.floats()
    | any_text
    | st.binary(max_size=5)
    | st.complex_numbers(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner)
        | st.dictionaries(any_text | st.integers() | st.none(), inner, max_size=4)
    ),
    max_leaves=20,
)


def nested(levels: int) -> Json:
    value: Json = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


@given(st.dictionaries(safe_text, safe_values, max_size=5))
def test_what_json_has_a_place_for_comes_back_as_it_was(document: dict[str, Json]) -> None:
    assert load_document(dump_document(document), **BOUNDS) == document


@given(st.dictionaries(any_text, any_values, max_size=5))
def test_anything_is_written_as_valid_json(document: dict[str, Json]) -> None:
    data = dump_document(document)
    assert isinstance(json.loads(data.decode("utf-8")), dict)
    assert isinstance(orjson.loads(data), dict)
    assert data.endswith(b"}\n")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (2**64 - 1, 2**64 - 1),
        (-(2**63), -(2**63)),
        (2**64, "18446744073709551616"),
        (-(2**63) - 1, "-9223372036854775809"),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        ("a\ud800b", "a\\ud800b"),
        ("é\udfff", "é\\udfff"),
        ((1, 2), [1, 2]),
        (True, True),
    ],
)
def test_what_json_has_no_place_for_becomes_a_text(value: object, written: object) -> None:
    document = {"value": value}
    assert load_document(dump_document(document), **BOUNDS) == {"value": written}  # type: ignore[arg-type]


def test_an_integer_too_long_for_digits_is_described() -> None:
    assert load_document(dump_document({"value": 10**5000}), **BOUNDS) == {"value": "integer of 16610 bits"}


def test_names_that_become_equal_are_both_kept() -> None:
    document = load_document(dump_document({"\ud800": 1, "\\ud800": 2}), **BOUNDS)
    assert sorted(document.values()) == [1, 2]  # type: ignore[type-var]


@pytest.mark.parametrize("levels", [WRITE_DEPTH, WRITE_DEPTH + 1, 100_000])
def test_deep_nesting_is_cut_and_said(levels: int) -> None:
    data = dump_document({"deep": nested(levels)})
    assert (b"nested too deep to write" in data) == (levels >= WRITE_DEPTH)
    assert not deeper_than(orjson.loads(data), WRITE_DEPTH)


def test_a_line_is_one_line() -> None:
    assert dump_line({"a": "x\ny"}) == b'{"a":"x\\ny"}\n'


def test_the_document_is_indented_and_stable() -> None:
    assert dump_document({"b": [1], "a": {}}) == b'{\n  "b": [\n    1\n  ],\n  "a": {}\n}\n'


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"x" * 101, "has 101 bytes, more than the 100"),
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b'{"a": NaN}', "not JSON"),
        (b'{"a": "\xff"}', "not JSON"),
        (b'{"a": "\\ud800"}', "not JSON"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b"{} {}", "not JSON"),
        (b"[]", "not an object"),
        (b"null", "not an object"),
        (b'{"a": {"b": {"c": {}}}}', "deeper than 3 levels"),
        (b'{"a": [[[1]]]}', "deeper than 3 levels"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(data: bytes, problem: str) -> None:
    with pytest.raises(DocumentError, match=problem) as caught:
        load_document(data, max_bytes=100, max_depth=3)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_a_million_open_brackets_are_refused() -> None:
    with pytest.raises(DocumentError):
        load_document(b'{"a":' + b"[" * 1_000_000, max_bytes=2_000_000, max_depth=512)


def test_a_document_at_its_bounds_is_read() -> None:
    assert load_document(b'{"a": [[1]]}', max_bytes=12, max_depth=3) == {"a": [[1]]}


@given(safe_values, st.integers(0, 6))
def test_depth_is_counted_as_a_recursion_would(value: Json, levels: int) -> None:
    def depth(item: Json) -> int:
        if isinstance(item, dict):
            return 1 + max(map(depth, item.values()), default=0)
        return 1 + max(map(depth, item), default=0) if isinstance(item, list) else 0

    assert deeper_than(value, levels) == (depth(value) > levels)
