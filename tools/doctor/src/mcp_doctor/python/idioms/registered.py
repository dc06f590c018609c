"""Functions given to a server: `mcp.tool(fn)`, `mcp.tool(…)(fn)`, `mcp.add_tool(fn)`, `from_function`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcp_doctor.facts.tool_decl import Unresolved
from mcp_doctor.python.idioms.declare import (
    OWN,
    Idiom,
    framework_of,
    from_function,
    from_schema,
    is_foreign,
    unresolved,
)
from mcp_doctor.python.scan import PythonScan
from mcp_doctor.syntax.found import Found
from mcp_doctor.syntax.nodes import ancestors, field, text
from mcp_doctor.syntax.values import Call, Definition, External, Member, Site, Value, as_text, dotted

if TYPE_CHECKING:
    from tree_sitter import Node

SAMPLE = '''
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("clock")


def now(zone: str) -> str:
    """Tell the time in a zone."""
    return zone


mcp.add_tool(now, name="tell_time")
'''
_METHODS = frozenset({"tool", "add_tool"})
_DEFINITIONS = ("ToolDefinition", "ToolSpec", "ToolDef")


def recognise(scan: PythonScan) -> Iterator[Found]:
    """Find calls that register a function."""
    decorators = scan.decorator_names()
    for site in scan.calls("tool", "add_tool"):
        if _in_decorator(site) or _within_one_of(site, decorators):
            continue
        if "." in text(field(site.node, "function")):
            yield from _registrations(scan, _outermost(site))
    for site in scan.calls("from_function", "from_tool"):
        if not any(text(field(above, "function")).endswith("add_tool") for above in _calls_around(site)):
            yield from _made(scan, site)
    yield from _defined(scan)


def _defined(scan: PythonScan) -> Iterator[Found]:
    """Find the project's own definitions: `ToolDefinition(fn=…, description=…)`."""
    for site in scan.calls(*_DEFINITIONS):
        made = scan.evaluator.call(site)
        given = made.keyword("fn", "func", "function", "handler")
        if isinstance(given, Call) and given.args:
            given = given.args[0]
        if not isinstance(given, Definition) or given.is_class or is_foreign(made):
            continue
        if made.keyword("description") is not None:
            yield from_function(scan, given.site, _without_function(made, given), Idiom("unknown", OWN))


def _in_decorator(site: Site) -> bool:
    for above in ancestors(site.node):
        if above.type in ("decorator", "function_definition", "class_definition"):
            return above.type == "decorator"
    return False


def _within_one_of(site: Site, decorators: frozenset[str]) -> bool:
    """Tell whether a registration is what a decorator of the project does; its uses are found as such."""
    around = [above for above in ancestors(site.node) if above.type == "function_definition"]
    return any(text(field(above, "name")) in decorators for above in around)


def _calls_around(site: Site) -> Iterator["Node"]:
    for above in ancestors(site.node):
        if above.type == "call":
            yield above


def _outermost(site: Site) -> Site:
    """Take `mcp.tool(…)(fn)` as a whole."""
    above = site.node.parent
    if above is not None and above.type == "call" and field(above, "function") == site.node:
        return Site(site.module, above)
    return site


def _registrations(scan: PythonScan, site: Site) -> Iterator[Found]:
    found = list(_registration(scan, site, scan.evaluator.value(site.module, site.node)))
    if any(isinstance(one, Unresolved) for one in found):
        again: list[Found] = []
        for environment in scan.environments(site):
            again += _registration(scan, site, scan.evaluator.value(site.module, site.node, environment))
        resolved: list[Found] = [one for one in again if not isinstance(one, Unresolved)]
        found = resolved or found
    yield from found


def _registration(scan: PythonScan, site: Site, value: Value) -> Iterator[Found]:
    if not isinstance(value, Call) or is_foreign(value):
        return
    options = value.callee if isinstance(value.callee, Call) else value
    method = options.callee
    if not isinstance(method, Member) or method.name not in _METHODS:
        return
    idiom = Idiom(framework_of(method), "registration")
    given = value.args[0] if value.args else value.keyword("fn", "tool", "name_or_fn")
    server = method.base if isinstance(method.base, Call) else None
    if given is None or (method.name == "tool" and value is options and not _is_function(given)):
        return
    yield from _of(scan, site, given, options, idiom, server)


def _of(
    scan: PythonScan, site: Site, given: Value, options: Call, idiom: Idiom, server: Value | None
) -> Iterator[Found]:
    if isinstance(given, Definition) and not given.is_class:
        yield from_function(scan, given.site, _without_function(options, given), idiom, server)
    elif isinstance(given, Call) and _makes_tool(given.callee):
        yield from _from_factory(scan, given, idiom)
    elif isinstance(given, Call) and isinstance(given.callee, External | Member) and given.args:
        yield from _of(scan, site, given.args[0], options, idiom, server)
    else:
        yield unresolved(given, site, idiom)


def _is_function(value: Value) -> bool:
    return (isinstance(value, Definition) and not value.is_class) or (
        not hasattr(value, "value") and isinstance(value, Member)
    )


def _without_function(options: Call, function: Definition) -> Call:
    args = tuple(one for one in options.args if one is not function and not isinstance(one, Definition))
    return Call(options.callee, args, options.keywords, options.site, options.complete)


def _makes_tool(callee: Value) -> bool:
    return dotted(callee).rpartition(".")[2] in ("from_function", "from_tool", "Tool", "FunctionTool")


def _from_factory(scan: PythonScan, made: Call, idiom: Idiom) -> Iterator[Found]:
    given = made.args[0] if made.args else made.keyword("fn", "tool")
    if dotted(made.callee).rpartition(".")[2] in ("from_function", "from_tool"):
        if isinstance(given, Definition):
            yield from_function(scan, given.site, _without_function(made, given), idiom)
        elif made.keyword("name") is not None:
            yield from_schema(
                scan, made.keyword("name"), as_text(made.keyword("description")), None, made.site, idiom, made
            )
        else:
            yield unresolved(given, made.site, idiom)
    elif made.keyword("inputSchema", "input_schema") is None:
        schema = made.keyword("parameters")
        yield from_schema(
            scan, made.keyword("name"), as_text(made.keyword("description")), schema, made.site, idiom, made
        )


def _made(scan: PythonScan, site: Site) -> Iterator[Found]:
    value = scan.evaluator.value(site.module, site.node)
    if isinstance(value, Call) and "ool" in dotted(value.callee) and not is_foreign(value):
        yield from _from_factory(scan, value, Idiom(framework_of(value), "factory"))
