"""What JavaScript and TypeScript code does: writes to stdout, starts of a server."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mcp_doctor.facts.code import SdkUse, StdoutWrite, Transport
from mcp_doctor.facts.requirement import NPM
from mcp_doctor.script.bindings import FUNCTIONS, Kind, bindings
from mcp_doctor.script.scan import ScriptScan, function_name
from mcp_doctor.syntax.found import FoundTool
from mcp_doctor.syntax.grammars import captures
from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import ancestors, field, text
from mcp_doctor.syntax.reach import Reaching, Syntax, import_closure
from mcp_doctor.syntax.values import Call, Definition, External, Free, Member, Site, Value

if TYPE_CHECKING:
    from tree_sitter import Node

_CONSOLE = frozenset({"log", "info", "debug", "table", "dir", "group", "count", "timeEnd", "timeLog"})
_OVERRIDES = """
(assignment_expression
  left: (member_expression object: (identifier) @object property: (property_identifier) @property)
  (#eq? @object "console") (#any-of? @property "log" "info" "debug")) @assignment
"""
_IN_BROWSER = re.compile(
    r"\.(?:evaluate|evaluateHandle|evaluateOnNewDocument|addInitScript|\$eval|\$\$eval|waitForFunction|exposeFunction)$"
)
_STDIO = ("StdioServerTransport", "serveStdio")
_HTTP = (
    "StreamableHTTPServerTransport",
    "SSEServerTransport",
    "NodeStreamableHTTPServerTransport",
    "createMcpHandler",
)
_CALL_HANDLER = "CallToolRequestSchema"
_SERVER_PACKAGE = "@modelcontextprotocol/server"
_GONE_METHODS = ("tool", "prompt", "resource")

_SYNTAX = Syntax(
    functions=FUNCTIONS,
    conditionals=frozenset({"if_statement"}),
    blocks=frozenset({"statement_block"}),
    exits=re.compile(r"process\.exit\(|throw\b|return\b"),
    name_of=function_name,
    blocking=False,
)


def stdout_writes(scan: ScriptScan, tools: Sequence[FoundTool]) -> Iterator[StdoutWrite]:
    """Give the writes to stdout that are reached; none where the program replaces the methods of console."""
    written = list(_writes(scan))
    if not written or _is_overridden(scan.modules):
        return
    reaching = _reaching(scan, tools)
    for site, what in written:
        way = reaching.reached(site)
        if way is not None:
            code = " ".join(text(site.node)[:160].split())
            yield StdoutWrite(site.place, what, way.reach, "typescript", way.tools, way.steps, code)


def transports(scan: ScriptScan) -> frozenset[Transport]:
    """Say how the server is started, as far as the calls show it."""
    found = {Transport.STDIO for _ in scan.calls(*_STDIO)}
    return frozenset(found | {Transport.HTTP for _ in scan.calls(*_HTTP)})


def sdk_uses(scan: ScriptScan) -> Iterator[SdkUse]:
    """Give the methods of the second major's server that are called though only the first had them."""
    for site in scan.calls(*_GONE_METHODS):
        callee = field(site.node, "function")
        value = scan.evaluator.value(site.module, callee) if callee is not None else None
        base = value.base if isinstance(value, Member) else None
        made = base.callee if isinstance(base, Call) else None
        if (
            isinstance(made, External)
            and made.name == f"{_SERVER_PACKAGE}#McpServer"
            and isinstance(value, Member)
        ):
            yield SdkUse(site.place, NPM, _SERVER_PACKAGE, f"{_SERVER_PACKAGE}:McpServer.{value.name}")


def _writes(scan: ScriptScan) -> Iterator[tuple[Site, str]]:
    for site in scan.calls(*sorted(_CONSOLE), "write"):
        callee = text(field(site.node, "function"))
        if _in_browser(site.node):
            continue
        if (
            callee.startswith("console.")
            and callee.removeprefix("console.") in _CONSOLE
            and _is_global(scan, site)
        ) or (callee == "process.stdout.write" and "jsonrpc" not in text(site.node)):
            yield site, f"{callee}()"


def _is_global(scan: ScriptScan, site: Site) -> bool:
    base = field(field(site.node, "function"), "object")
    value = scan.evaluator.value(site.module, base) if base is not None else None
    return isinstance(value, Free)


def _is_overridden(modules: Sequence[Module]) -> bool:
    return any(
        captures(module.grammar, _OVERRIDES, module.root) for module in modules if b"console" in module.source
    )


def _in_browser(node: "Node") -> bool:
    """Tell whether code is handed to a page, whose console is not ours."""
    for above in ancestors(node):
        if above.type == "call_expression" and _IN_BROWSER.search(text(field(above, "function"))[-60:]):
            return True
    return False


def imported_modules(scan: ScriptScan, tools: Sequence[FoundTool]) -> Sequence[Module]:
    """Give the modules that hold tools or start the server, and all that they import."""
    return _closure(scan, tools, list(scan.calls(*_STDIO)))


def _closure(scan: ScriptScan, tools: Sequence[FoundTool], starts: Sequence[Site]) -> Sequence[Module]:
    serving = {one.function.module.path: one.function.module for one in tools if one.function is not None}
    serving |= {site.module.path: site.module for site in starts}
    return import_closure(list(serving.values()), lambda module: _imports(scan, module))


def _reaching(scan: ScriptScan, tools: Sequence[FoundTool]) -> Reaching:
    starts = _with_callers(scan, list(scan.calls(*_STDIO)))

    def target(call: Site) -> Value:
        callee = field(call.node, "function") or field(call.node, "constructor")
        return scan.evaluator.value(call.module, callee) if callee is not None else Free("", call)

    return Reaching(
        scan=scan,
        target=target,
        syntax=_SYNTAX,
        tools=tools,
        starts=starts,
        imported=frozenset(module.path for module in _closure(scan, tools, starts)),
        handlers=list(_call_handlers(scan)),
    )


def _imports(scan: ScriptScan, module: Module) -> Iterator[Module]:
    sources = {
        one.source
        for found in bindings(module, module.root).values()
        for one in found
        if one.kind is Kind.IMPORT
    }
    sources |= {
        text(field(node, "source"))[1:-1]
        for node in module.root.named_children
        if field(node, "source") is not None
    }
    for source in sorted(sources):
        found = scan.evaluator.repository.find(source, module)
        if found is not None:
            yield found


def _with_callers(scan: ScriptScan, starts: list[Site]) -> list[Site]:
    """Add the calls of functions that start the server, up to three away."""
    found, fresh = list(starts), list(starts)
    for _ in range(3):
        around = [
            next((one for one in ancestors(site.node) if one.type in FUNCTIONS), None) for site in fresh
        ]
        names = {function_name(one) for one in around if one is not None} - {""}
        fresh = [site for site in scan.calls(*sorted(names)) if site not in found]
        found += fresh
    return found


def _call_handlers(scan: ScriptScan) -> Iterator[Site]:
    """Give the functions that are set to handle calls of tools."""
    for site in scan.calls("setRequestHandler"):
        arguments = field(site.node, "arguments")
        nodes = arguments.named_children if arguments is not None else []
        if len(nodes) >= 2 and (
            _CALL_HANDLER in text(nodes[0]) or text(nodes[0]).strip("\"'") == "tools/call"
        ):
            handler = scan.evaluator.value(site.module, nodes[1])
            yield handler.site if isinstance(handler, Definition) else Site(site.module, nodes[1])
