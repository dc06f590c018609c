import pytest

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.values import LONGEST_S, duration, pairs, set_variables, size


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("500ms", 0.5),
        ("5s", 5.0),
        ("5", 5.0),
        ("0.25", 0.25),
        ("1.5m", 90.0),
        ("2h", 7_200.0),
        (" 3s ", 3.0),
        ("1ms", 0.001),
        ("604800", LONGEST_S),
    ],
)
def test_a_duration_is_read_as_seconds(text: str, seconds: float) -> None:
    assert duration(text, "--timeout") == pytest.approx(seconds)


def test_a_bare_number_is_in_the_unit_of_the_option() -> None:
    assert duration("250", "--timeout", bare_unit="ms") == pytest.approx(0.25)
    assert duration("2s", "--timeout", bare_unit="ms") == pytest.approx(2.0)


@pytest.mark.parametrize(
    "text",
    ["", "s", "-1", "1e3", "inf", "nan", "5 s", "5x", "1,5s", ".5", "5.", "५s", "9" * 10, "5s5", "5S", "0x5"],
)
def test_what_is_no_duration_is_said(text: str) -> None:
    with pytest.raises(CommandError, match="is not a duration; write 500ms, 5s or 2m"):
        duration(text, "--timeout")


@pytest.mark.parametrize("text", ["0", "0ms", "0.0", "604801", "169h", "999999999"])
def test_a_duration_has_bounds(text: str) -> None:
    with pytest.raises(CommandError, match="must be more than zero and at most a week"):
        duration(text, "--timeout")


@pytest.mark.parametrize(
    ("text", "bytes_"),
    [
        ("1", 1),
        ("1024", 1024),
        ("2kB", 2_000),
        ("2KiB", 2_048),
        ("64MiB", 64 * 2**20),
        ("3gb", 3 * 10**9),
        ("2GiB", 2**31),
        ("7b", 7),
    ],
)
def test_a_size_is_read_as_bytes(text: str, bytes_: int) -> None:
    assert size(text, "--max-memory") == bytes_


@pytest.mark.parametrize("text", ["", "0", "0MiB", "-1", "1.5GiB", "2 GiB", "2T", "much", "1" * 13, "٣MiB"])
def test_what_is_no_size_is_said(text: str) -> None:
    with pytest.raises(CommandError, match=r"--max-memory: .* is not a size"):
        size(text, "--max-memory")


def test_pairs_hold_anything_behind_the_first_equals_sign() -> None:
    assert pairs(["A=", "B==", "C=a=b", "D= x ", "e.f=1"], "--env") == {
        "A": "",
        "B": "=",
        "C": "a=b",
        "D": " x ",
        "e.f": "1",
    }


@pytest.mark.parametrize(
    ("items", "message"),
    [
        (["A=secret", "secret"], "--env: item 2 is not NAME=VALUE"),
        (["=secret"], "--env: item 1 is not NAME=VALUE"),
        ([" =secret"], "--env: item 1 is not NAME=VALUE"),
        (["A=sec\0ret"], "--env: item 1 is not NAME=VALUE"),
        (["A=secret", "A=secret"], "--env: 'A' is given twice"),
    ],
)
def test_what_is_no_pair_is_said_without_its_value(items: list[str], message: str) -> None:
    with pytest.raises(CommandError) as caught:
        pairs(items, "--env")
    assert str(caught.value) == message


def test_variables_are_looked_up() -> None:
    assert set_variables(["A", "A", "B"], {"A": "1", "B": "", "C": "3"}, "--pass-env") == {"A": "1", "B": ""}
    with pytest.raises(CommandError, match="--pass-env: the variable 'X' is not set"):
        set_variables(["X"], {}, "--pass-env")
