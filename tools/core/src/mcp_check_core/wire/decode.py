"""Read one line as JSON without losing what a lenient parser would hide.

The standard library's parser does the work; big numbers, duplicate keys, NaN, lone surrogates and depth are
seen on the way. Depth and the number of values are checked first and without recursion, so that no input can
exhaust the stack, and none of some megabytes costs gigabytes.
"""

import json
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate

from mcp_check_core.model.bounds import cut_bytes, cut_text
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.faults import Fault, FaultCode

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_OTHERS = bytes(set(range(256)) - set(b"[{]}"))
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_HEADER = re.compile(rb"\s*content-(?:length|type)\s*:", re.IGNORECASE)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
VALUES = 1_000_000
"""Values of one line that are read: each takes up to 200 bytes of memory, whatever it takes on the wire."""
_DIGITS = 4000
"""Digits of an integer that Python turns into a number without a special setting (its limit is 4300)."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded line: its value, whether there is one, and every fault that was seen on the way."""

    value: Json = None
    ok: bool = False
    faults: tuple[Fault, ...] = ()


OVERSIZE = Decoded()
"""What there is of a line of which only the head was kept."""


@dataclass(slots=True)
class _Notes:
    """Faults that the parser's hooks meet."""

    faults: dict[FaultCode, str] = field(default_factory=dict)

    def add(self, code: FaultCode, detail: str) -> None:
        self.faults.setdefault(code, cut_text(detail, 100))

    def members(self, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        result = dict(pairs)
        if len(result) != len(pairs):
            often = Counter(name for name, _ in pairs)
            self.add(FaultCode.DUPLICATE_KEY, next(name for name, count in often.items() if count > 1))
        return result

    def constant(self, name: str) -> float:
        self.add(FaultCode.NOT_A_NUMBER, name)
        return float(name)

    def integer(self, digits: str) -> int | float:
        if len(digits) <= _DIGITS:
            return int(digits)
        self.add(FaultCode.NUMBER_TOO_LARGE, f"{len(digits)} digits")
        return float(digits)

    def fraction(self, digits: str) -> float:
        value = float(digits)
        if math.isinf(value):
            self.add(FaultCode.NUMBER_TOO_LARGE, digits)
        return value


def nesting(data: bytes, limit: int) -> int:
    """Count the levels of nesting of a JSON text, without recursion; 0 where they cannot exceed `limit`."""
    if data.count(b"[") + data.count(b"{") <= limit:
        return 0
    steps = _STRING.sub(b"", data).translate(_STEPS, _OTHERS)
    return max(accumulate(memoryview(steps).cast("b")), default=0)


def values(data: bytes, limit: int) -> int:
    """Count the values of a JSON text, member names aside; 0 where they cannot exceed `limit`."""
    marks = (b",", b"[", b"{")
    if len(data) <= limit or sum(data.count(mark) for mark in marks) <= limit:
        return 0
    bare = _STRING.sub(b"", data)
    return sum(bare.count(mark) for mark in marks)


def decode(data: bytes, depth_limit: int) -> Decoded:
    """Decode one line, without its newline. Never raises."""
    if not data.strip():
        return Decoded(faults=(Fault(FaultCode.EMPTY_LINE),))
    if _HEADER.match(data):
        return Decoded(faults=(Fault(FaultCode.CONTENT_LENGTH, cut_bytes(data, 80)),))
    notes = _Notes()
    text = _as_text(data, notes)
    if nesting(data, depth_limit) > depth_limit:
        notes.add(FaultCode.TOO_DEEP, f"more than {depth_limit} levels")
        return _failed(notes)
    if values(data, VALUES) > VALUES:
        notes.add(FaultCode.TOO_LARGE, f"more than {VALUES} values")
        return _failed(notes)
    try:
        value: Json = json.loads(
            text,
            object_pairs_hook=notes.members,
            parse_constant=notes.constant,
            parse_int=notes.integer,
            parse_float=notes.fraction,
        )
    except (ValueError, RecursionError) as problem:
        notes.add(FaultCode.NOT_JSON, str(problem))
        return _failed(notes)
    if _SURROGATE_ESCAPE.search(data) and _has_lone_surrogate(value):
        notes.add(FaultCode.LONE_SURROGATE, "a string with half of a surrogate pair")
    return Decoded(value, True, _faults(notes))


def _as_text(data: bytes, notes: _Notes) -> str:
    if data.startswith(_BYTE_ORDER_MARK):
        notes.add(FaultCode.BYTE_ORDER_MARK, "at the start of the line")
        data = data[len(_BYTE_ORDER_MARK) :]
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as problem:
        notes.add(FaultCode.INVALID_UTF8, f"byte 0x{data[problem.start]:02x} at offset {problem.start}")
        return data.decode("utf-8", "replace")


def _has_lone_surrogate(value: Json) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _faults(notes: _Notes) -> tuple[Fault, ...]:
    return tuple(Fault(code, detail) for code, detail in notes.faults.items())


def _failed(notes: _Notes) -> Decoded:
    return Decoded(faults=_faults(notes))
