"""Whether the text of a result says the same as its structured content.

SDKs wrap what is no object as `{"result": …}`, give one text block for each item of a list, and differ in
white space, in the order of keys and in whether they write a member that is null. Servers put the text as it
is into a member of their own.
"""

import json
import math
import re
from dataclasses import dataclass

from mcp_check_core.judges.disguise_object import PARSE_BOUND
from mcp_check_core.judges.shape import depth
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool_result import ToolResult

_LEVELS = 60
_CLOSE = 1e-6
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A place in the structured content, by JSON pointer, of which the text says otherwise."""

    pointer: str
    structured: Json
    text: Json


def contradiction(result: ToolResult) -> Contradiction | None:
    """Find a place of which text and structured content say different things.

    A text that is no JSON is prose about the content and says nothing against it, but where the content is
    one wrapped text itself. What one of the two leaves out is no contradiction, another form neither.
    """
    if not result.has_structured or not result.texts or len(result.texts) != len(result.content):
        return None
    if sum(map(len, result.texts)) > PARSE_BOUND or depth(result.structured, _LEVELS) > _LEVELS:
        return None
    value, pointer = _content(result)
    return _against(value, pointer, result)


def _content(result: ToolResult) -> tuple[Json, str]:
    """Give the structured content, taken out of its wrapper unless the text has the wrapper too.

    A text that is wrapped is compared as it is: it may be JSON with a wrapper of its own.
    """
    value = result.structured
    if not isinstance(value, dict) or list(value) != ["result"]:
        return value, ""
    inner = value["result"]
    read = _parsed(result.texts[0]) if len(result.texts) == 1 else None
    wrapped = read is not None and isinstance(read[0], dict) and list(read[0]) == ["result"]
    return (value, "") if wrapped and not isinstance(inner, str) else (inner, "/result")


def _against(structured: Json, pointer: str, result: ToolResult) -> Contradiction | None:
    """Compare with the text in each reading that it allows; a reading that agrees settles it."""
    if isinstance(structured, str):
        return _text_against(structured, pointer, result.text)
    parsed = [_parsed(text) for text in result.texts]
    if any(value is None for value in parsed):
        return None
    values = [value[0] for value in parsed if value is not None]
    readings: list[Json] = [values] if isinstance(structured, list) else []
    if len(values) == 1:
        readings.append(values[0])
    readings = [reading for reading in readings if type(reading) is type(structured)]
    found = [_difference(structured, reading, pointer) for reading in readings]
    return None if not found or None in found else found[-1]


def _text_against(structured: str, pointer: str, text: str) -> Contradiction | None:
    """Compare two texts: one may quote or hold the other, but not say something else."""
    said, meant = _plain(text), _plain(structured)
    if not pointer or not said or not meant or said in meant or meant in said:
        return None
    value = _parsed(text)
    if value is not None and value[0] == structured:
        return None
    return Contradiction(pointer, structured, text)


def _difference(left: Json, right: Json, pointer: str) -> Contradiction | None:
    """Find the first place that both have and of which they differ."""
    if isinstance(left, dict) and isinstance(right, dict):
        for name in (name for name in left if name in right):
            found = _difference(left[name], right[name], f"{pointer}/{_escaped(name)}")
            if found is not None:
                return found
        return None
    if isinstance(left, list) and isinstance(right, list):
        if len(left) != len(right):
            return Contradiction(pointer, left, right)
        for number, (one, other) in enumerate(zip(left, right, strict=True)):
            found = _difference(one, other, f"{pointer}/{number}")
            if found is not None:
                return found
        return None
    return None if _same(left, right) else Contradiction(pointer, left, right)


def _same(left: Json, right: Json) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left == right or math.isclose(left, right, rel_tol=_CLOSE)
    if isinstance(left, str) and not isinstance(right, str):
        return _holds(left, right)
    if isinstance(right, str) and not isinstance(left, str):
        return _holds(right, left)
    return left == right


def _holds(text: str, value: Json) -> bool:
    """Whether a text writes a value that is no text."""
    read = _parsed(text)
    if read is None:
        return text.casefold() == str(value).casefold()
    return _difference(read[0], value, "") is None if not isinstance(read[0], str) else False


def _parsed(text: str) -> tuple[Json] | None:
    """Read a text as JSON, None where it is none. A bare word or number is JSON here too."""
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return (value,) if depth(value, _LEVELS) <= _LEVELS else None


def _plain(text: str) -> str:
    return _SPACES.sub(" ", text).strip().casefold()


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
