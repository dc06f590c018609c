"""Read one line as JSON without losing what a lenient parser would hide.

The standard library's parser does the work; big integers, duplicate keys, NaN, lone surrogates and depth are
seen on the way. Depth is checked first and without recursion, so that no input can exhaust the stack.
"""

import json
import re
from dataclasses import dataclass, field

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.faults import Fault, FaultCode

_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_HEADER = re.compile(rb"\s*content-(?:length|type)\s*:", re.IGNORECASE)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DIGITS = 4000
"""Digits of an integer that Python turns into a number without a special setting (its limit is 4300)."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded line: its value, whether there is one, and every fault that was seen on the way."""

    value: Json = None
    ok: bool = False
    faults: tuple[Fault, ...] = ()


@dataclass(slots=True)
class _Notes:
    """Faults that the parser's hooks meet."""

    faults: dict[FaultCode, str] = field(default_factory=dict)

    def add(self, code: FaultCode, detail: str) -> None:
        self.faults.setdefault(code, detail[:100])

    def members(self, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        result = dict(pairs)
        if len(result) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            self.add(FaultCode.DUPLICATE_KEY, twice)
        return result

    def constant(self, name: str) -> float:
        self.add(FaultCode.NOT_A_NUMBER, name)
        return float(name)

    def integer(self, digits: str) -> int | float:
        if len(digits) <= _DIGITS:
            return int(digits)
        self.add(FaultCode.NUMBER_TOO_LARGE, f"{len(digits)} digits")
        return float(digits)


def nesting(data: bytes, limit: int) -> int:
    """Count the levels of nesting of a JSON text, without recursion; stops counting at `limit` + 1."""
    if data.count(b"[") + data.count(b"{") <= limit:
        return 0
    depth = deepest = 0
    for token in _TOKEN.finditer(data):
        first = data[token.start()]
        if first in b"[{":
            depth += 1
            deepest = max(deepest, depth)
            if deepest > limit:
                return deepest
        elif first in b"]}":
            depth -= 1
    return deepest


def decode(data: bytes, depth_limit: int) -> Decoded:
    """Decode one line, without its newline. Never raises."""
    if not data.strip():
        return Decoded(faults=(Fault(FaultCode.EMPTY_LINE),))
    if _HEADER.match(data):
        return Decoded(faults=(Fault(FaultCode.CONTENT_LENGTH, data[:80].decode("utf-8", "replace")),))
    notes = _Notes()
    text = _as_text(data, notes)
    if nesting(data, depth_limit) > depth_limit:
        notes.add(FaultCode.TOO_DEEP, f"more than {depth_limit} levels")
        return _failed(notes)
    try:
        value: Json = json.loads(
            text,
            object_pairs_hook=notes.members,
            parse_constant=notes.constant,
            parse_int=notes.integer,
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
