"""What Python code does: writes to stdout, bare excepts, starts of a server."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mcp_doctor.facts.code import BareCatch, StdoutWrite, Transport
from mcp_doctor.python.bindings import Kind, bindings
from mcp_doctor.python.scan import PythonScan
from mcp_doctor.syntax.found import FoundTool
from mcp_doctor.syntax.grammars import PYTHON, captures
from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import ancestors, field, place, text, walk
from mcp_doctor.syntax.reach import Reaching, Syntax, import_closure
from mcp_doctor.syntax.values import Call, Constant, External, Free, Member, Site, Value, as_string, dotted

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset({"function_definition"})
_RUNS = frozenset({"run", "run_async", "run_stdio_async", "stdio_server", "serve_stdio"})
_HTTP_RUNS = (
    "run_http_async",
    "run_streamable_http_async",
    "run_sse_async",
    "streamable_http_app",
    "sse_app",
    "http_app",
)
_SERVERS = re.compile(r"(?:^|\.)(?:mcp|server|app|_mcp|_server|mcp_server|fastmcp)$")
_PRINTS = {
    "print": "print()", "pprint": "pprint()", "pp": "pprint()", "echo": "echo()", "secho": "secho()",
    "write": "sys.stdout.write()",
    "writelines": "sys.stdout.writelines()", "StreamHandler": "a StreamHandler on stdout",
    "basicConfig": "logging to stdout", "add": "a logger on stdout",
}  # fmt: skip
_PRINTERS = frozenset(
    {
        "rich.print",
        "pprint.pprint",
        "pprint.pp",
        "typer.echo",
        "typer.secho",
        "click.echo",
        "click.secho",
        "builtins.print",
    }
)
_STDOUT = re.compile(r"\b(?:sys\.)?(?:__)?stdout(?:__)?\b")
_HANDLERS = frozenset({"call_tool"})
_CATCHES = "(except_clause) @clause"


def _function_name(node: "Node") -> str:
    name = text(field(node, "name"))
    if name != "__init__":
        return name
    around = next((one for one in ancestors(node) if one.type == "class_definition"), None)
    return text(field(around, "name"))


_SYNTAX = Syntax(
    functions=_FUNCTIONS,
    conditionals=frozenset({"if_statement", "elif_clause"}),
    blocks=frozenset({"block"}),
    exits=re.compile(r"(?:sys\.exit|exit|quit|os\._exit)\(|raise\b|return\b"),
    name_of=_function_name,
    blocking=True,
)


def stdout_writes(scan: PythonScan, tools: Sequence[FoundTool]) -> Iterator[StdoutWrite]:
    """Give the writes to stdout that are reached."""
    written = list(_writes(scan))
    if not written:
        return
    reaching = _reaching(scan, tools)
    for site, what in written:
        way = reaching.reached(site)
        if way is not None:
            yield StdoutWrite(site.place, what, way.reach, "python", way.tools, way.steps, _code(site))


def transports(scan: PythonScan) -> frozenset[Transport]:
    """Say how the server is started, as far as the calls show it."""
    found = {Transport.HTTP for _ in scan.calls(*_HTTP_RUNS)}
    for site in _starts(scan):
        call = scan.evaluator.value(site.module, site.node)
        given = call.keyword("transport") or next(iter(call.args), None) if isinstance(call, Call) else None
        kind = as_string(given)
        if given is not None and kind is None and text(field(site.node, "function")).endswith("run"):
            found.add(Transport.OPEN)
        else:
            found.add(Transport.HTTP if kind in ("http", "sse", "streamable-http") else Transport.STDIO)
    return frozenset(found)


def bare_catches(modules: Sequence[Module], tools: Sequence[FoundTool]) -> Iterator[BareCatch]:
    """Give the `except:` handlers that do not raise again."""
    for module in modules:
        if b"except" not in module.source:
            continue
        for clause in captures(PYTHON, _CATCHES, module.root).get("clause", ()):
            named = [one for one in clause.named_children if one.type not in ("block", "comment")]
            body = next((one for one in clause.named_children if one.type == "block"), None)
            if named or body is None or any(one.type == "raise_statement" for one in walk(body)):
                continue
            at = place(module.path, clause)
            tool = next(
                (one.tool.name for one in tools if one.tool.handler and one.tool.handler.contains(at)), None
            )
            yield BareCatch(at, "except:", tool, _around(clause))


def _around(node: "Node") -> str:
    function = next((one for one in ancestors(node) if one.type in _FUNCTIONS), None)
    return _function_name(function) if function is not None else ""


def _code(site: Site) -> str:
    return " ".join(text(site.node)[:160].split())


def imported_modules(scan: PythonScan, tools: Sequence[FoundTool]) -> Sequence[Module]:
    """Give the modules that hold tools or start the server, and all that they import."""
    return _closure(scan, tools, _starts(scan))


def _closure(scan: PythonScan, tools: Sequence[FoundTool], starts: Sequence[Site]) -> Sequence[Module]:
    serving = {one.function.module.path: one.function.module for one in tools if one.function is not None}
    serving |= {site.module.path: site.module for site in starts}
    places = {one.tool.place.file for one in tools}
    serving |= {module.path: module for module in scan.modules if module.path in places}
    return import_closure(list(serving.values()), lambda module: _imports(scan, module))


def _reaching(scan: PythonScan, tools: Sequence[FoundTool]) -> Reaching:
    starts = _with_callers(scan, _starts(scan))

    def target(call: Site) -> Value:
        callee = field(call.node, "function")
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


def _imports(scan: PythonScan, module: Module) -> Iterator[Module]:
    for name, found in bindings(module, module.root).items():
        for one in found:
            if one.kind in (Kind.MEMBER, Kind.STAR, Kind.MODULE):
                yield from _imported(scan, module, one.source, one.member, name)


def _imported(scan: PythonScan, module: Module, source: str, member: str, name: str) -> Iterator[Module]:
    del name
    dots = "" if source.endswith(".") else "."
    for wanted in (source, f"{source}{dots}{member}" if member else ""):
        found = scan.evaluator.repository.find(wanted, module) if wanted else None
        if found is not None:
            yield found
            package = scan.evaluator.repository.find(".", found)
            yield from [package] if package is not None else []


def _starts(scan: PythonScan) -> list[Site]:
    return [site for site in scan.calls(*_RUNS) if _is_start(scan, site)]


def _is_start(scan: PythonScan, site: Site) -> bool:
    callee = field(site.node, "function")
    value = scan.evaluator.value(site.module, callee) if callee is not None else None
    name = text(callee)
    if name.endswith(("stdio_server", "run_stdio_async")):
        return True
    base = value.base if isinstance(value, Member) else None
    if isinstance(base, Call) and isinstance(base.callee, External):
        return base.callee.name.partition(".")[0] in ("mcp", "fastmcp")
    return (
        isinstance(base, Free | Member | Call)
        and bool(_SERVERS.search(text(field(callee, "object"))))
        and name.endswith((".run", ".run_async"))
    )


def _with_callers(scan: PythonScan, starts: list[Site]) -> list[Site]:
    """Add the calls of functions that start the server, up to three away."""
    found, fresh = list(starts), list(starts)
    for _ in range(3):
        names = {
            _function_name(one) for site in fresh for one in ancestors(site.node) if one.type in _FUNCTIONS
        }
        fresh = [site for site in scan.calls(*sorted(names - {""})) if site not in found and names]
        found += fresh
    return found


def _call_handlers(scan: PythonScan) -> Iterator[Site]:
    """Give the functions under `@server.call_tool()`, and those given as `on_call_tool`."""
    for site in scan.calls(*_HANDLERS):
        decorator = site.node.parent
        if decorator is not None and decorator.type == "decorator" and decorator.parent is not None:
            function = field(decorator.parent, "definition")
            if function is not None:
                yield Site(site.module, function)
    for site in scan.calls("Server"):
        made = scan.evaluator.value(site.module, site.node)
        given = made.keyword("on_call_tool") if isinstance(made, Call) else None
        if given is not None and hasattr(given, "is_class"):
            yield given.site


def _writes(scan: PythonScan) -> Iterator[tuple[Site, str]]:
    for name, what in _PRINTS.items():
        for site in scan.calls(name):
            if _is_write(scan, site, name):
                yield site, what


def _is_write(scan: PythonScan, site: Site, name: str) -> bool:
    callee = field(site.node, "function")
    arguments = text(field(site.node, "arguments"))
    if callee is None:
        return False
    if "jsonrpc" in arguments:
        return False
    if name in ("write", "writelines"):
        return _STDOUT.search(text(field(callee, "object"))) is not None
    if name in ("StreamHandler", "basicConfig", "add"):
        return _STDOUT.search(arguments) is not None and len(arguments) < 2_000 and _logs(text(callee), name)
    value = scan.evaluator.value(site.module, callee)
    if isinstance(value, Free):
        return value.name == "print" and not _elsewhere(scan, site)
    if isinstance(value, External):
        return value.name in _PRINTERS and not _elsewhere(scan, site)
    console = value.base if isinstance(value, Member) and name == "print" else None
    return (
        isinstance(console, Call)
        and dotted(console.callee).endswith("rich.console.Console")
        and not _to_stderr(console)
    )


def _logs(callee: str, name: str) -> bool:
    return name != "add" or callee in ("logger.add", "loguru.logger.add")


def _elsewhere(scan: PythonScan, site: Site) -> bool:
    """Tell whether a print goes to another file than stdout."""
    call = scan.evaluator.value(site.module, site.node)
    if not isinstance(call, Call):
        return False
    target = call.keyword("file", "err")
    if target is None or (isinstance(target, Constant) and not target.value):
        return not call.complete
    return _STDOUT.search(text(target.site.node)) is None


def _to_stderr(console: Call) -> bool:
    target = console.keyword("stderr", "file")
    return target is not None and not (isinstance(target, Constant) and target.value is False)
