"""Functions under a decorator: `@mcp.tool`, `@server.tool(…)`, a bare `@tool`, a project's own."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcp_doctor.facts.tool_decl import Unresolved
from mcp_doctor.python.idioms.declare import Idiom, framework_of, from_function, is_foreign
from mcp_doctor.python.scan import PythonScan
from mcp_doctor.syntax.found import Found
from mcp_doctor.syntax.grammars import PYTHON, captures
from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import field, text, walk
from mcp_doctor.syntax.values import Call, Definition, External, Free, Member, Site, Value, dotted

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
_SDKS = ("fastmcp", "mcp")


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
        if "tool" not in text(field(expression, "function") or expression).lower():
            continue
        head = field(expression, "function") or expression
        callee = scan.evaluator.value(module, head)
        idiom = _idiom(callee)
        if idiom is not None:
            yield _registered(scan, module, expression, definition, idiom, callee)
            return


def _registered(
    scan: PythonScan, module: Module, expression: "Node", definition: "Node", idiom: Idiom, callee: Value
) -> Found:
    options = scan.evaluator.value(module, expression) if expression.type == "call" else None
    server = callee.base if isinstance(callee, Member) and isinstance(callee.base, Call) else None
    made = from_function(
        scan, Site(module, definition), options if isinstance(options, Call) else None, idiom, server
    )
    if isinstance(made, Unresolved) and isinstance(options, Call):
        for environment in scan.environments(Site(module, expression)):
            again = scan.evaluator.value(module, expression, environment) if environment else None
            if isinstance(again, Call):
                return from_function(scan, Site(module, definition), again, idiom, server)
    return made


def _idiom(callee: Value) -> Idiom | None:
    if is_foreign(callee):
        return None
    match callee:
        case Member(name="tool"):
            return Idiom(framework_of(callee), "decorator")
        case External(full) if full.endswith(".tool") and full.partition(".")[0] in _SDKS:
            return Idiom("fastmcp", "decorator")
        case Definition(is_class=False) if _registers(callee):
            return Idiom("unknown", "project decorator")
        case Member(base=Definition() as inner) if _registers(inner):
            return Idiom("unknown", "project decorator")
        case Free(name="tool"):
            return None
    last = dotted(callee).rpartition(".")[2]
    return Idiom(framework_of(callee), "decorator") if last == "tool" and isinstance(callee, Member) else None


def _registers(decorator: Definition) -> bool:
    """Tell whether a function of the repository registers what it is given."""
    for node in walk(decorator.site.node):
        if node.type == "call":
            name = text(field(node, "function")).rpartition(".")[2]
            if name in ("tool", "add_tool", "register_tool") and "." in text(field(node, "function")):
                return True
    return False
