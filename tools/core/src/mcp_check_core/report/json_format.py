"""JSON bytes of our own documents: written so that nothing can stop them, read within stated bounds.

What JSON or its readers have no place for is written as a text that says what it was:

- an integer outside the 64-bit range becomes its digits, or `integer of N bits` above 512 bits;
- NaN and the infinities become `NaN`, `Infinity`, `-Infinity`;
- a lone surrogate becomes its escape as visible text, `\\ud800`;
- nesting past 200 levels becomes a sentence in its place.
"""

import math
from collections.abc import Mapping, Sequence

import orjson

from mcp_check_core.model.json_value import Json

WRITE_DEPTH = 200
"""Levels of nesting that are written; the encoder itself ends at 254."""
_SMALLEST = -(2**63)
_LARGEST = 2**64 - 1


class DocumentError(Exception):
    """A document cannot be used; the message is one sentence that says why."""


def dump_document(document: Mapping[str, Json]) -> bytes:
    """Write a document as indented UTF-8 JSON with a newline at the end; never raises for its content."""
    return orjson.dumps(writable(document), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def dump_line(document: Mapping[str, Json]) -> bytes:
    """Write a document as one line of UTF-8 JSON with a newline at the end."""
    return orjson.dumps(writable(document), option=orjson.OPT_APPEND_NEWLINE)


def load_document(data: bytes, *, max_bytes: int, max_depth: int) -> dict[str, Json]:
    """Read a JSON object of at most `max_bytes` bytes and `max_depth` levels.

    Raises DocumentError if it is larger, deeper, not JSON in UTF-8, or not an object.
    """
    if len(data) > max_bytes:
        raise DocumentError(f"The document has {len(data)} bytes, more than the {max_bytes} that are read.")
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise DocumentError(f"The document is not JSON: {error}.") from error
    if not isinstance(value, dict):
        raise DocumentError("The document is JSON, but not an object.")
    if deeper_than(value, max_depth):
        raise DocumentError(f"The document is nested deeper than {max_depth} levels.")
    return value


def deeper_than(value: Json, levels: int) -> bool:
    """Tell whether arrays and objects nest more than `levels` deep (`{}` is one level), without recursion."""
    level: list[Json] = [value]
    for _ in range(levels):
        level = [member for item in level for member in _members(item)]
        if not level:
            return False
    return any(isinstance(item, list | dict) for item in level)


def writable(value: object, depth: int = WRITE_DEPTH) -> Json:
    """Copy a value into one that every JSON reader takes; the module says what becomes of the rest."""
    if isinstance(value, str) or not isinstance(value, Mapping | Sequence):
        return _scalar(value)
    if depth == 0:
        return f"… [{len(value)} members, nested too deep to write]"
    if isinstance(value, Mapping):
        return _object(value, depth)
    items: list[Json] = []
    for item in value:
        items.append(writable(item, depth - 1))  # noqa: PERF401 - a comprehension doubles the stack
    return items


def _scalar(value: object) -> Json:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else _not_finite(value)
    return _text(str(value))


def _members(item: Json) -> list[Json]:
    if isinstance(item, dict):
        return list(item.values())
    return item if isinstance(item, list) else []


def _object(value: Mapping[object, object], depth: int) -> dict[str, Json]:
    members: dict[str, Json] = {}
    for name, member in value.items():
        written = _text(str(name))
        while written in members:
            written += "'"
        members[written] = writable(member, depth - 1)
    return members


def _text(value: str) -> str:
    if value.isascii():
        return str(value)
    return value.encode("utf-8", "backslashreplace").decode("utf-8")


def _integer(value: int) -> Json:
    if _SMALLEST <= value <= _LARGEST:
        return int(value)
    return str(value) if value.bit_length() <= 512 else f"integer of {value.bit_length()} bits"


def _not_finite(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"
