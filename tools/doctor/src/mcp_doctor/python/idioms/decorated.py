"""Functions under a decorator: `@mcp.tool`, `@server.tool(…)`, a bare `@tool`, a project's own."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcp_doctor.facts.tool_decl import Unresolved
from mcp_doctor.python.idioms.declare import OWN, Idiom, framework_of, from_function, is_foreign
from mcp_doctor.python.scan import PythonScan
from mcp_doctor.syntax.found import Found
from mcp_doctor.syntax.grammars import PYTHON, captures
from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import field, text, walk
from mcp_doctor.syntax.values import Call, Definition, External, Member, Site, Value

if TYPE_CHECKING:
    from tree_sitter import Node

TRIGGERS = (b"tool",)
SAMPLE = '''
from fastmcp import FastMCP

mcp = FastMCP("notes")


@mcp.tool(name="list_notes")
def notes(folder: str) -> list[str]:
    """List the notes of a folder."""
    return []
'''
_DECORATED = "(decorated_definition) @decorated"
_SDKS = frozenset({"fastmcp", "mcp"})
"""Packages of MCP, also where a project holds a copy of them."""
_REGISTERING = frozenset({"tool", "add_tool", "register_tool"})
_MOST_FOLLOWED = 8


def recognise(scan: PythonScan) -> Iterator[Found]:
    """Find decorated functions and methods."""
    for module in scan.modules:
        for node in captures(PYTHON, _DECORATED, module.root).get("decorated", ()):
            definition = field(node, "definition")
            if definition is not None and definition.type == "function_definition":
                yield from _of_decorators(scan, module, node, definition)


def _of_decorators(scan: PythonScan, module: Module, node: "Node", definition: "Node") -> Iterator[Found]:
    for decorator in node.named_children:
        if decorator.type != "decorator" or not decorator.named_children:
            continue
        expression = decorator.named_children[0]
        head = field(expression, "function") or expression
        if "tool" not in text(head).lower():
            continue
        callee = scan.evaluator.value(module, head)
        if isinstance(callee, Definition) and not callee.is_class:
            owner = field(head, "object")
            base = scan.evaluator.value(module, owner) if owner is not None else None
            server = base if isinstance(base, Call) else None
            found = list(
                _of_project(scan, Site(module, expression), Site(module, definition), callee, server)
            )
        else:
            found = list(_registered(scan, module, expression, definition, callee))
        if not found and _is_own(expression, callee):
            options = scan.evaluator.call(Site(module, expression))
            found = [from_function(scan, Site(module, definition), options, Idiom("unknown", OWN))]
        if found:
            yield from found
            return


def _is_own(expression: "Node", callee: Value) -> bool:
    """Tell whether a decorator is the project's own for tools: called so, and given a description."""
    if expression.type != "call" or is_foreign(callee) or isinstance(callee, External):
        return False
    arguments = field(expression, "arguments")
    given = {text(field(one, "name")) for one in arguments.named_children} if arguments is not None else set()
    return text(field(expression, "function")).lower().endswith("tool") and "description" in given


def _registered(
    scan: PythonScan, module: Module, expression: "Node", definition: "Node", callee: Value
) -> Iterator[Found]:
    idiom = _idiom(callee)
    if idiom is None:
        return
    server = callee.base if isinstance(callee, Member) and isinstance(callee.base, Call) else None
    function, site = Site(module, definition), Site(module, expression)
    if expression.type != "call":
        yield from_function(scan, function, None, idiom, server)
        return
    made = from_function(scan, function, scan.evaluator.call(site), idiom, server)
    if isinstance(made, Unresolved):
        for environment in scan.environments(site):
            again = from_function(scan, function, scan.evaluator.call(site, environment), idiom, server)
            made = made if isinstance(again, Unresolved) else again
    yield made


def _idiom(callee: Value) -> Idiom | None:
    if is_foreign(callee):
        return None
    match callee:
        case Member(name="tool"):
            return Idiom(framework_of(callee), "decorator")
        case External(full) if full.endswith(".tool") and not _SDKS.isdisjoint(full.split(".")):
            return Idiom("fastmcp", "decorator")
    return None


def _of_project(
    scan: PythonScan, expression: Site, function: Site, decorator: Definition, server: Value | None
) -> Iterator[Found]:
    """Follow a decorator of the project to the registrations in it, with what it was given."""
    given = scan.evaluator.call(expression) if expression.node.type == "call" else None
    environment = scan.evaluator.bind(decorator.site, given) if given is not None else {}
    for site in _registrations(scan, decorator):
        options = scan.evaluator.call(site, environment)
        inner = options.callee if isinstance(options.callee, Call) else options
        name = inner.callee.name if isinstance(inner.callee, Member) else ""
        if name in _REGISTERING and not is_foreign(inner):
            yield from_function(
                scan, function, inner, Idiom(framework_of(inner), "project decorator"), server
            )


def _registrations(scan: PythonScan, decorator: Definition) -> Iterator[Site]:
    """Give the registering calls in a function and in functions of the repository that it calls."""
    pending, seen = [decorator.site], 0
    while pending and seen < _MOST_FOLLOWED:
        site = pending.pop(0)
        seen += 1
        for node in walk(site.node):
            callee = field(node, "function") if node.type == "call" else None
            if callee is None:
                continue
            if text(callee).rpartition(".")[2] in _REGISTERING and "." in text(callee):
                yield Site(site.module, node)
                continue
            value = scan.evaluator.value(site.module, callee)
            if isinstance(value, Definition) and not value.is_class and value.site.node != site.node:
                pending.append(value.site)
