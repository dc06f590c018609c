import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_check_core.model.bounds import TOTAL_BOUND, cut_bytes, cut_end, cut_tail, cut_value
from mcp_check_core.model.json_value import Json

values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=1_000),
    lambda inner: st.lists(inner, max_size=40) | st.dictionaries(st.text(max_size=200), inner, max_size=40),
    max_leaves=60,
)


@given(values)
def test_any_value_is_cut_to_a_bound_and_can_be_written(value: Json) -> None:
    assert len(json.dumps(cut_value(value), ensure_ascii=False)) < 4 * TOTAL_BOUND


def test_a_value_that_branches_at_every_level_is_small() -> None:
    wide: Json = "x" * 1_000
    for _ in range(7):
        wide = [wide] * 20
    shown = json.dumps(cut_value(wide))
    assert len(shown) < 2 * TOTAL_BOUND
    assert "of 20 items]" in shown


def test_names_that_are_cut_to_the_same_text_are_kept_apart() -> None:
    long = "n" * 120
    shown = cut_value({long + "a": 1, long + "b": 2})
    mark = "n" * 120 + "… [first 120 of 121 characters]"
    assert shown == {mark: 1, f"{mark} (2)": 2}


def test_bytes_are_no_list_of_numbers() -> None:
    assert cut_value({"data": b"abc"}) == {"data": "b'abc'"}


@pytest.mark.parametrize(
    ("bound", "shown"), [(1, "a"), (2, "a"), (3, "aé"), (4, "aé"), (5, "aé"), (6, "aé€")]
)
def test_a_cut_leaves_no_half_of_a_character(bound: int, shown: str) -> None:
    data = "aé€b".encode()
    assert cut_bytes(data, bound) == f"{shown}… [first {bound} of 7 bytes]"


@pytest.mark.parametrize(("bound", "shown"), [(1, "b"), (2, "b"), (3, "b"), (4, "€b"), (5, "€b"), (6, "é€b")])
def test_a_tail_begins_with_a_whole_character(bound: int, shown: str) -> None:
    data = "aé€b".encode()
    assert cut_tail(data, bound) == f"[last {bound} of 7 bytes] …{shown}"


def test_a_tail_says_how_much_there_was_in_all() -> None:
    assert cut_tail(b"abc", 3) == "abc"
    assert cut_tail(b"abc", 3, 3) == "abc"
    assert cut_tail(b"abc", 3, 99) == "[last 3 of 99 bytes] …abc"
    assert cut_tail(b"abc", 2, 99) == "[last 2 of 99 bytes] …bc"
    assert cut_tail(b"\xff" * 9, 2) == "[last 2 of 9 bytes] …\ufffd\ufffd"
    assert cut_tail(b"\x80" * 9, 4) == "[last 4 of 9 bytes] …" + "\ufffd" * 4


@pytest.mark.parametrize(
    ("text", "bound", "lines", "kept"),
    [
        ("one\ntwo\n", 20, 8, "one\ntwo"),
        ("one\ntwo\nthree\n\n", 9, 8, "[last 2 of 3 lines]\ntwo\nthree"),
        ("one\ntwo\nthree", 100, 1, "[last 1 of 3 lines]\nthree"),
        ("a\n" + "x" * 10, 4, 8, "[last 4 of 12 characters] …xxxx"),
        ("x" * 10, 4, 8, "[last 4 of 10 characters] …xxxx"),
        ("", 4, 8, ""),
    ],
)
def test_the_end_of_a_text_is_kept_in_whole_lines(text: str, bound: int, lines: int, kept: str) -> None:
    assert cut_end(text, bound, lines) == kept
