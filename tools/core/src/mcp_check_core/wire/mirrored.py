"""Headers that repeat parts of a request's body (specification 2026-07-28, Streamable HTTP)."""

import base64
import re
from collections.abc import Iterable, Mapping

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.envelope import VERSION_KEY

VERSION_HEADER = "MCP-Protocol-Version"
METHOD_HEADER = "Mcp-Method"
NAME_HEADER = "Mcp-Name"
PARAM_PREFIX = "Mcp-Param-"
ANNOTATION = "x-mcp-header"
TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
"""A name of a header (RFC 9110, 5.6.2)."""

_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_TYPES = ("string", "integer", "boolean")
_PLAIN = re.compile(r"[\x20-\x7e]*")
_ENCODED = re.compile(r"=\?base64\?.*\?=")
_PROPERTIES = 1_000
_DEPTH = 20
_DIGITS = 4_000

ParamHeaders = Mapping[str, tuple[str, ...]]
"""For the headers of one tool, without their prefix: where in the arguments the value of each stands."""


def param_headers(schema: Json) -> dict[str, tuple[str, ...]]:
    """Find the properties of an input schema that want a header, along `properties` alone.

    Only a name that is a token, once (case aside), on a string, integer or boolean counts. The first 1,000
    properties are looked at, 20 levels deep.
    """
    found: dict[str, tuple[str, ...]] = {}
    taken: set[str] = set()
    waiting: list[tuple[tuple[str, ...], Json]] = [((), schema)]
    seen = 0
    while waiting and seen < _PROPERTIES:
        path, level = waiting.pop()
        seen += 1
        if not isinstance(level, dict):
            continue
        name = level.get(ANNOTATION)
        if path and isinstance(name, str) and TOKEN.fullmatch(name) and level.get("type") in _TYPES:
            if name.lower() not in taken:
                found[name] = path
            taken.add(name.lower())
        inner = level.get("properties")
        if isinstance(inner, dict) and len(path) < _DEPTH:
            waiting += [((*path, key), value) for key, value in list(inner.items())[:_PROPERTIES]]
    return found


def headers_of_tools(tools: Json, limit: int) -> dict[str, ParamHeaders]:
    """Give the headers that the tools of one page of a list want, by tool; of `limit` tools at most."""
    found: dict[str, ParamHeaders] = {}
    for tool in tools[:limit] if isinstance(tools, list) else ():
        name = tool.get("name") if isinstance(tool, dict) else None
        if (
            isinstance(tool, dict)
            and isinstance(name, str)
            and (wanted := param_headers(tool.get("inputSchema")))
        ):
            found[name] = wanted
    return found


def mirrored(body: Mapping[str, Json], tools: Mapping[str, ParamHeaders]) -> dict[str, str]:
    """Make the headers of one message; what has no value in the body has no header."""
    method, params = body.get("method"), body.get("params")
    given = params if isinstance(params, dict) else {}
    meta = given.get("_meta")
    wanted: list[tuple[str, Json]] = [(METHOD_HEADER, method)]
    if isinstance(meta, dict):
        wanted.append((VERSION_HEADER, meta.get(VERSION_KEY)))
    if isinstance(method, str) and method in _NAMED_BY:
        wanted.append((NAME_HEADER, given.get(_NAMED_BY[method])))
    name = given.get("name")
    if method == "tools/call" and isinstance(name, str):
        paths = tools.get(name, {})
        wanted += [
            (PARAM_PREFIX + header, _at(given.get("arguments"), path)) for header, path in paths.items()
        ]
    return {header: text for header, value in wanted if (text := header_text(value)) is not None}


def header_text(value: Json) -> str | None:
    """Write a value as a header's: plain ASCII as it is, else in base64; None for what cannot be written."""
    match value:
        case bool():
            text = "true" if value else "false"
        case int() if abs(value) < 10**_DIGITS:
            text = str(value)
        case str():
            text = value
        case _:
            return None
    if _PLAIN.fullmatch(text) and text == text.strip() and not _ENCODED.fullmatch(text):
        return text
    try:
        return f"=?base64?{base64.b64encode(text.encode('utf-8')).decode('ascii')}?="
    except UnicodeEncodeError:
        return None


def _at(arguments: Json, path: Iterable[str]) -> Json:
    value = arguments
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value
