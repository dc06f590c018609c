"""Structural evidence: a JSON object that says of itself that the call failed."""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from mcp_check_core.model.json_value import Json

PARSE_BOUND = 256 * 1024
"""Characters of a text that are parsed whole; of a longer one, the members in its first part are read."""
_UNWRAP_LEVELS = 4
_DECODER = json.JSONDecoder()
_BLANKS = " \t\r\n"


@dataclass(frozen=True, slots=True)
class _Names:
    wrappers: frozenset[str]
    envelope: frozenset[str]
    bad_status: frozenset[str]
    status: frozenset[str]
    message: frozenset[str]
    error: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ObjectSign:
    """What an object says: a slug, the pointer to the member within the object, and the member's value."""

    reason: str
    pointer: str
    value: Json


def parse_text(text: str) -> tuple[bool, Json]:
    """Parse a text that is one JSON object or array. The first answer says whether it is one.

    A text in quotation marks is speech as often as JSON, and is left as it is.
    Of a text over the bound, or a torn one, the members that lie within its beginning are read.
    """
    start = text[:64].lstrip()[:1]
    if not start or start not in "{[":
        return False, None
    if len(text) <= PARSE_BOUND:
        try:
            return True, json.loads(text)
        except (ValueError, RecursionError):
            return False, None
    return (True, dict(_head_members(text[:PARSE_BOUND]))) if start == "{" else (False, None)


def _head_members(head: str) -> Iterator[tuple[str, Json]]:
    """Yield the members of an object that end within the head."""
    at = head.index("{") + 1
    while True:
        at = _skip(head, at)
        if head[at : at + 1] != '"':
            return
        try:
            name, at = _DECODER.raw_decode(head, at)
            at = _skip(head, at)
            if head[at : at + 1] != ":":
                return
            value, at = _DECODER.raw_decode(head, _skip(head, at + 1))
        except (ValueError, RecursionError):
            return
        yield name, value
        at = _skip(head, at)
        if head[at : at + 1] != ",":
            return
        at += 1


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def unwrap(value: Json) -> tuple[Json, str]:
    """Take the content out of wrappers that hold nothing else (`{"result": …}`); with the pointer to it."""
    pointer = ""
    for _ in range(_UNWRAP_LEVELS):
        if not isinstance(value, dict) or len(value) != 1:
            break
        name, inner = next(iter(value.items()))
        if name.casefold() not in _names().wrappers:
            break
        value, pointer = inner, f"{pointer}/{name}"
    return value, pointer


def object_sign(value: Json, *, about_failures: bool) -> ObjectSign | None:
    """Say how an object, taken out of its wrappers, declares a failure; None where it does not.

    Where failures are the subject of the call, only an object that calls itself an error result counts.
    """
    inner, pointer = unwrap(value)
    if not isinstance(inner, dict):
        return None
    names = {name.casefold(): name for name in inner}
    told = [
        name
        for name, member in inner.items()
        if member not in (None, False, "", 0) and member not in ([], {})
    ]
    pure = all(name.casefold() in _names().envelope for name in told)
    for sign in _signs(inner, names, pure=pure, about_failures=about_failures):
        return ObjectSign(sign[0], f"{pointer}/{_escape(sign[1])}", inner[sign[1]])
    return None


def message_members(value: Json) -> Iterator[tuple[str, str]]:
    """Yield pointer and text of the message of an object that has nothing else to say."""
    inner, pointer = unwrap(value)
    if isinstance(inner, str):
        yield pointer, inner
    if isinstance(inner, dict):
        told = {name: member for name, member in inner.items() if member not in (None, "")}
        if all(name.casefold() in _names().envelope or name.casefold() == "text" for name in told):
            for name, member in told.items():
                if isinstance(member, str) and name.casefold() in _names().message:
                    yield f"{pointer}/{_escape(name)}", member


def _signs(
    inner: dict[str, Json], names: dict[str, str], *, pure: bool, about_failures: bool
) -> Iterator[tuple[str, str]]:
    """Yield slug and member of each sign, the strongest first."""
    for name in ("iserror", "is_error"):
        if name in names and _is_true(inner[names[name]]):
            yield "is-error", names[name]
    error = next(
        (names[name] for name in _names().error if name in names and _tells(inner[names[name]])), None
    )
    for name in ("success", "ok"):
        if name in names and _is_false(inner[names[name]]) and (pure or (error and not about_failures)):
            yield f"{name}-false", names[name]
    if about_failures:
        return
    status = names.get("status")
    has_message = error is not None or any(name in names for name in _names().message)
    bad = str(inner[status])[:20].casefold() if status else ""
    if status and pure and (bad == "error" or (bad in _names().bad_status and has_message)):
        yield "status-error", status
    for folded, name in names.items():
        if pure and has_message and folded in _names().status and _is_http_failure(inner[name]):
            yield "http-status", name
    if pure and error is not None:
        yield "only-error", error


def _tells(value: Json) -> bool:
    if isinstance(value, bool):
        return value
    return isinstance(value, str | dict | list) and len(value) > 0


def _is_true(value: Json) -> bool:
    return value is True or (isinstance(value, str) and value[:5].casefold() == "true")


def _is_false(value: Json) -> bool:
    return value is False or (isinstance(value, str) and value[:6].casefold() == "false")


def _is_http_failure(value: Json) -> bool:
    if isinstance(value, str) and len(value) == 3 and value.isdigit():
        value = int(value)
    return isinstance(value, int) and not isinstance(value, bool) and 400 <= value <= 599


def _escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


@cache
def _names() -> _Names:
    data = tomllib.loads(
        files(__package__).joinpath("data/disguise/objects.toml").read_text(encoding="utf-8")
    )
    return _Names(
        wrappers=frozenset(data["wrappers"]),
        envelope=frozenset(data["envelope"]),
        bad_status=frozenset(data["bad_status"]),
        status=frozenset(data["status"]),
        message=frozenset(data["message"]),
        error=tuple(data["error"]),
    )
