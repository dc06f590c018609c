import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_check_core.model.bounds import DEPTH_BOUND, ITEM_BOUND, TEXT_BOUND, cut_bytes, cut_text, cut_value
from mcp_check_core.model.json_value import Json, canonical_json, json_type
from mcp_check_core.report.json_format import deeper_than, dump_document

values: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("", ""),
        ("abc", "abc"),
        ("abcd", "abc… [first 3 of 4 characters]"),
        ("äöüß", "äöü… [first 3 of 4 characters]"),
    ],
)
def test_a_text_says_that_it_was_cut(text: str, cut: str) -> None:
    assert cut_text(text, 3) == cut


@pytest.mark.parametrize(
    ("data", "cut"), [(b"abc", "abc"), (b"\xffab", "\ufffdab"), (b"abcd", "abc… [first 3 of 4 bytes]")]
)
def test_bytes_say_that_they_were_cut(data: bytes, cut: str) -> None:
    assert cut_bytes(data, 3) == cut


@given(values)
def test_a_small_value_stays_as_it_is(value: Json) -> None:
    assert cut_value(value, depth=30) == value


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (2**64 - 1, 2**64 - 1),
        (2**64, "18446744073709551616"),
        (-(2**600), "integer of 601 bits"),
        (True, True),
        (1.5, 1.5),
        ((1, 2), [1, 2]),
        ({1: 2}, {"1": 2}),
        (object, "<class 'object'>"),
    ],
)
def test_odd_values_have_a_shape_in_json(value: object, shown: Json) -> None:
    assert cut_value(value) == shown


def test_each_direction_is_cut_and_said() -> None:
    value = {f"m{number}": number for number in range(ITEM_BOUND + 1)}
    assert (
        cut_value("x" * (TEXT_BOUND + 1))
        == "x" * TEXT_BOUND + f"… [first {TEXT_BOUND} of {TEXT_BOUND + 1} characters]"
    )
    assert cut_value(list(range(ITEM_BOUND + 1))) == [
        *range(ITEM_BOUND),
        f"… [first {ITEM_BOUND} of {ITEM_BOUND + 1} items]",
    ]
    assert cut_value(value) == {
        **{f"m{number}": number for number in range(ITEM_BOUND)},
        "…": f"[first {ITEM_BOUND} of {ITEM_BOUND + 1} members]",
    }
    deep: Json = [1, 2]
    for _ in range(10_000):
        deep = {"a": deep}
    assert "nested too deep to show" in repr(cut_value(deep))
    assert not deeper_than(cut_value(deep), DEPTH_BOUND)


def test_a_flood_becomes_small() -> None:
    flood: Json = {"k" * 10_000 + str(number): ["x" * 100_000] * 100 for number in range(100)}
    assert len(dump_document({"e": cut_value(flood)})) < 400_000


@given(values)
def test_canonical_json_does_not_depend_on_the_order_of_names(value: Json) -> None:
    assert canonical_json({"a": value, "b": 1}) == canonical_json({"b": 1, "a": value})


def test_canonical_json_is_known_by_heart() -> None:
    assert (
        canonical_json({"b": [1, None, True], "a": "é\n\ud800"})
        == b'{"a":"\xc3\xa9\\n\xed\xa0\x80","b":[1,null,true]}'
    )


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "null"),
        (True, "boolean"),
        (1, "integer"),
        (1.0, "number"),
        ("", "string"),
        ([], "array"),
        ({}, "object"),
    ],
)
def test_types_are_named_as_json_does(value: Json, name: str) -> None:
    assert json_type(value) == name
