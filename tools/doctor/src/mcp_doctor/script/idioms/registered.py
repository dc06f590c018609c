"""Calls on a server: `registerTool(name, config, handler)`, `tool(name, …)`, `addTool({…})`."""

from collections.abc import Iterator

from mcp_doctor.facts.tool_decl import Unresolved
from mcp_doctor.script.evaluate import Environment
from mcp_doctor.script.idioms.declare import (
    Idiom,
    Parts,
    declared,
    is_hints,
    language_of,
    parts_of_object,
)
from mcp_doctor.script.scan import ScriptScan, called_name
from mcp_doctor.syntax.found import Found
from mcp_doctor.syntax.nodes import field, text
from mcp_doctor.syntax.values import (
    Call,
    Constant,
    Definition,
    Fields,
    Free,
    Member,
    Partial,
    Site,
    Unknown,
    Value,
    as_string,
)

SAMPLE = """
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

const server = new McpServer({ name: "lamp", version: "1.0.0" });
server.registerTool(
  "dim",
  { description: "Dim the lamp.", inputSchema: { level: z.number().describe("From 0 to 100.") } },
  async ({ level }) => ({ content: [{ type: "text", text: String(level) }] }),
);
"""
_METHODS = {
    "registerTool": "mcp",
    "tool": "mcp",
    "addTool": "fastmcp",
    "registerAppTool": "mcp",
    "registerToolTask": "mcp",
}
_NOT_SERVERS = frozenset({"ai", "openai", "langchain", "z", "jest", "vi"})


def sites(scan: ScriptScan) -> Iterator[Site]:
    """Give the calls that register tools."""
    for method in _METHODS:
        for site in scan.calls(method):
            if _is_method(site, method):
                yield site


def recognise(scan: ScriptScan) -> Iterator[Found]:
    """Find the tools that calls register."""
    for site in sites(scan):
        yield from _registrations(scan, site, called_name(site.node))


def _is_method(site: Site, method: str) -> bool:
    callee = field(site.node, "function")
    if callee is None:
        return False
    if callee.type != "member_expression":
        return method == "registerAppTool"
    return text(field(callee, "object")) not in _NOT_SERVERS


def _registrations(scan: ScriptScan, site: Site, method: str) -> Iterator[Found]:
    found = _registration(scan, site, method, {})
    if not isinstance(found, Unresolved):
        if found is not None:
            yield found
        return
    again = [
        one
        for environment in scan.environments(site)
        if environment and (one := _registration(scan, site, method, environment)) is not None
    ]
    resolved: list[Found] = [one for one in again if not isinstance(one, Unresolved)]
    yield from resolved or [found]


def _registration(scan: ScriptScan, site: Site, method: str, environment: Environment) -> Found | None:
    arguments = field(site.node, "arguments")
    nodes = (
        [node for node in arguments.named_children if node.type != "comment"] if arguments is not None else []
    )
    args = [scan.evaluator.value(site.module, node, environment) for node in nodes]
    if method == "registerAppTool" and len(args) >= 3:
        args = args[1:]
    parts = _parts(method, args)
    if parts is None:
        return None
    return declared(parts, site, Idiom(language_of(site), _METHODS[method], method))


def _parts(method: str, args: list[Value]) -> Parts | None:
    if method == "addTool" or len(args) == 1:
        return _of_object(args)
    if method == "tool":
        return _of_tool(args)
    if len(args) < 2 or isinstance(args[0], Definition):
        return None
    config = args[1]
    if isinstance(config, Fields):
        made = parts_of_object(config)
        return Parts(
            args[0],
            made.description,
            config.get("inputSchema") or made.schema,
            made.annotations,
            made.title,
            args[-1],
        )
    unknown = Unknown("its configuration is made at run time", args[1].site)
    return Parts(args[0], unknown, unknown, None, None, args[-1])


def _of_object(args: list[Value]) -> Parts | None:
    if len(args) != 1:
        return None
    first = args[0]
    if isinstance(first, Fields):
        return parts_of_object(first) if first.get("name") is not None else None
    if isinstance(first, Free | Member | Unknown | Call):
        return Parts(first if not isinstance(first, Call) else Unknown("it is made by a call", first.site))
    return None


def _of_tool(args: list[Value]) -> Parts | None:
    """Read `tool(name, description?, schema?, annotations?, handler)`."""
    name, rest = args[0], args[1:]
    if isinstance(name, Definition | Fields) or (isinstance(name, Constant) and as_string(name) is None):
        return None
    handler = rest[-1]
    if isinstance(handler, Constant | Fields | Partial):
        return None
    middle = rest[:-1]
    description = next(
        (one for one in middle[:1] if not isinstance(one, Fields) and not _is_schema(one)), None
    )
    schemas = [one for one in middle if one is not description and not is_hints(one)]
    hints = next((one for one in middle if is_hints(one)), None)
    return Parts(name, description, schemas[0] if schemas else None, hints, None, handler)


def _is_schema(value: Value) -> bool:
    return isinstance(value, Call) or (isinstance(value, Member) and value.name == "shape")
