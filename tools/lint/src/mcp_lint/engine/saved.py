"""Read definitions that were saved: a result of `tools/list`, in any form in which people keep one."""

from pathlib import Path

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json, json_type
from mcp_check_core.model.report import ServerIdentity
from mcp_check_core.wire.decode import decode
from mcp_lint.facts.definitions import Definitions, Listed, ListKind, make_definitions

MAX_BYTES = 64 * 1024 * 1024
_DEPTH = 512


def read_saved(path: Path) -> Definitions:
    """Read a saved list: an array of tools, or an object with `tools`, or one with such a `result`.

    Beside `tools` there may be `instructions`, `prompts`, `resources`, `resourceTemplates`, and `initialize`,
    the server's answer to it. Raises CommandError for what cannot be read.
    """
    value = _parsed(path)
    members = value if isinstance(value, dict) else {}
    if "tools" not in members and isinstance(members.get("result"), dict):
        members = _object(members["result"])
    tools = value if isinstance(value, list) else members.get("tools")
    if not isinstance(tools, list):
        found = json_type(tools) if "tools" in members else "missing"
        raise CommandError(f"{str(path)!r} holds no tools: the member tools is {found}, not an array")
    hello = _object(members.get("initialize"))
    instructions = members.get("instructions", hello.get("instructions"))
    known = "instructions" in members or "instructions" in hello
    return make_definitions(
        Listed(tuple(tools)),
        instructions=instructions if isinstance(instructions, str) else None,
        instructions_known=known,
        others={kind: Listed(tuple(_array(members[kind]))) for kind in ListKind if kind in members},
        server=_identity(hello),
        protocol=_text(hello.get("protocolVersion")),
    )


def _parsed(path: Path) -> Json:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as problem:
        raise CommandError(f"cannot read {str(path)!r}: {problem.strerror or problem}") from None
    if len(data) > MAX_BYTES:
        raise CommandError(f"{str(path)!r} is over {MAX_BYTES} bytes, more than are read")
    decoded = decode(data, _DEPTH)
    if not decoded.ok:
        why = "; ".join(filter(None, (fault.detail for fault in decoded.faults)))
        raise CommandError(f"{str(path)!r} is not JSON that can be read: {why or 'it is empty'}")
    return decoded.value


def _identity(hello: dict[str, Json]) -> ServerIdentity:
    info = _object(hello.get("serverInfo"))
    return ServerIdentity(
        _text(info.get("name")), _text(info.get("version")), _text(hello.get("protocolVersion"))
    )


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _array(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _text(value: Json) -> str | None:
    return cut_text(value, 200) if isinstance(value, str) else None
