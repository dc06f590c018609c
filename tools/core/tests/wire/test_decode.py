import json
import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.decode import VALUES, decode, nesting, values
from mcp_check_core.wire.encode import encode_line
from mcp_check_core.wire.faults import FaultCode

DEPTH = 512


def codes(data: bytes) -> list[str]:
    return [fault.code.value for fault in decode(data, DEPTH).faults]


FAULTY_BUT_READ = {
    "byte-order-mark": b"\xef\xbb\xbf{}",
    "invalid-utf8": b'{"a": "\xe9"}',
    "duplicate-key": b'{"a": 1, "b": 2, "a": 3}',
    "not-a-number": b'{"a": NaN, "b": -Infinity}',
    "number-too-large": b"[" + b"9" * 4_301 + b"]",
    "lone-surrogate": b'{"a": "\\ud800"}',
}
UNREADABLE = {
    "empty-line": b" \t\r",
    "content-length": b"Content-Length: 20\r",
    "not-json": b'{"a": 1,}',
    "too-deep": b"[" * 5_000 + b"]" * 5_000,
    "too-large": b"[" + b"0," * VALUES + b"0]",
}


@pytest.mark.parametrize(("code", "data"), FAULTY_BUT_READ.items(), ids=FAULTY_BUT_READ)
def test_a_fault_is_seen_and_the_value_read_all_the_same(code: str, data: bytes) -> None:
    decoded = decode(data, DEPTH)
    assert decoded.ok
    assert codes(data) == [code]


@pytest.mark.parametrize(("code", "data"), UNREADABLE.items(), ids=UNREADABLE)
def test_what_cannot_be_read_says_why(code: str, data: bytes) -> None:
    decoded = decode(data, DEPTH)
    assert (decoded.ok, decoded.value) == (False, None)
    assert codes(data) == [code]


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b'{"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]}',
        b'{"a": "\xc3\xa9"}',
        b'{"a": "NaN", "b": 1e300}',
        b"[" + b"9" * 4_000 + b"]",
        b'{"a": "\\ud83d\\ude00"}',
        b'{"a": "\\\\ud800"}',
        b'  {"a": 1}  \r',
        b"[" * 200 + b"]" * 200,
        b"[" * DEPTH + b"]" * DEPTH,
        b'{"a": "' + b"[" * 5_000 + b'"}',
        b'{"a": "' + b'\\"[' * 5_000 + b'"}',
        b'{"a": "' + b"," * VALUES + b'", "b": [1, 2]}',
        b'"content-length: 1"',
    ],
)
def test_no_fault_is_seen_where_there_is_none(data: bytes) -> None:
    decoded = decode(data, DEPTH)
    assert decoded.ok
    assert decoded.faults == ()
    assert decoded.value == json.loads(data)


def test_one_level_more_than_the_limit_is_too_deep() -> None:
    assert codes(b"[" * (DEPTH + 1) + b"]" * (DEPTH + 1)) == ["too-deep"]
    assert codes(b'{"a":' * (DEPTH + 1) + b"1" + b"}" * (DEPTH + 1)) == ["too-deep"]


@pytest.mark.parametrize("data", [b"9" * 4_301, b"-" + b"9" * 5_000, b"1e400", b"-1.5E999"])
def test_a_number_out_of_range_becomes_infinite(data: bytes) -> None:
    decoded = decode(data, DEPTH)
    assert isinstance(decoded.value, float)
    assert math.isinf(decoded.value)
    assert codes(data) == ["number-too-large"]


def test_several_faults_of_one_line_are_all_seen() -> None:
    assert codes(b'\xef\xbb\xbf{"a": "\xff", "a": NaN}') == [
        "byte-order-mark",
        "invalid-utf8",
        "not-a-number",
        "duplicate-key",
    ]


def test_details_are_bounded_and_say_so() -> None:
    data = json.dumps({"k" * 5_000: 1})[:-1] + ", " + json.dumps({"k" * 5_000: 2})[1:]
    (fault,) = decode(data.encode(), DEPTH).faults
    assert fault.code is FaultCode.DUPLICATE_KEY
    assert fault.detail == "k" * 100 + "… [first 100 of 5000 characters]"


@given(st.binary(max_size=60))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    decoded = decode(data, DEPTH)
    assert decoded.ok or decoded.faults


@given(st.text(alphabet='"\\[]{}:,a0 \n', max_size=60))
def test_what_the_standard_library_reads_is_read_alike(text: str) -> None:
    decoded = decode(text.encode(), DEPTH)
    try:
        expected: Json = json.loads(text)
    except ValueError:
        assert not decoded.ok
    else:
        assert decoded.ok
        assert decoded.value == expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_what_we_write_is_one_line_and_reads_back(value: dict[str, Json]) -> None:
    line = encode_line(value)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decode(line[:-1], DEPTH).value == value


def test_half_a_surrogate_pair_can_be_written() -> None:
    line = encode_line({"a": "é\ud800"})
    assert line == b'{"a":"\\u00e9\\ud800"}\n'
    assert encode_line({"a": "é"}) == '{"a":"é"}\n'.encode()


def test_nesting_and_values_are_counted_outside_texts() -> None:
    assert nesting(b'[[{"[[[": "]]"}], [1]]', 2) == 3
    assert values(b'{"a,b": [1, 2, {"c": ","}]}', 3) == 5
    assert (nesting(b"[[]]", 2), values(b"[,,,", 4)) == (0, 0)


HOSTILE = {
    "unterminated": lambda n: b"[" * 600 + b'"' + b'\\"' * n,
    "backslashes": lambda n: b"[" * 600 + b'"' + b"\\" * n,
    "quotes": lambda n: b"[" * 600 + b'"' * n,
    "brackets": lambda n: b"[]" * n,
    "one-twice": lambda n: b"{" + b",".join(b'"%d":1' % i for i in range(n // 4)) + b',"x":1,"x":2}',
    "blanks": lambda n: b" " * n + b"c",
}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_hostile_lines_take_linear_time(make: object) -> None:
    assert callable(make)

    def cost(size: int) -> float:
        data = make(size)
        began = time.process_time()
        decode(data, DEPTH)
        return time.process_time() - began

    small = min(cost(60_000) for _ in range(3))
    large = min(cost(240_000) for _ in range(3))
    assert large < 10 * small + 0.02
