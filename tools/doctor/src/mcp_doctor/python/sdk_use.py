"""Which names of the SDKs Python source uses."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcp_doctor.facts.code import SdkUse
from mcp_doctor.facts.requirement import PYPI
from mcp_doctor.python.scan import PythonScan
from mcp_doctor.syntax.grammars import PYTHON, captures
from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import ancestors, field, place, text
from mcp_doctor.syntax.values import Call, External, Member, Site

if TYPE_CHECKING:
    from tree_sitter import Node

PACKAGES = ("mcp", "fastmcp")
_IMPORTS = "[(import_from_statement) (import_statement)] @import"
_DECORATORS = "(decorator) @decorator"
_EXPECTING = ("ImportError", "ModuleNotFoundError", "Exception")
_METHODS = (
    "get_tools", "get_prompts", "get_resources", "get_resource_templates", "as_proxy", "import_server",
    "add_tool_transformation", "progress_notification",
)  # fmt: skip


def sdk_uses(scan: PythonScan) -> Iterator[SdkUse]:
    """Give imports of the SDKs, and attributes of their servers that are used."""
    for module in scan.modules:
        if b"mcp" not in module.source:
            continue
        for node in captures(PYTHON, _IMPORTS, module.root).get("import", ()):
            for name in _imported(node):
                yield from _use(scan, module, node, name)
        for node in captures(PYTHON, _DECORATORS, module.root).get("decorator", ()):
            yield from _attribute(scan, module, node.named_children[0] if node.named_children else node)
    for site in scan.calls(*_METHODS):
        yield from _attribute(scan, site.module, site.node)


def _imported(node: "Node") -> Iterator[str]:
    if node.type == "import_from_statement":
        source = text(field(node, "module_name"))
        names = [
            one if one.type == "dotted_name" else field(one, "name")
            for one in node.children_by_field_name("name")
        ]
        yield from (f"{source}.{text(name)}" for name in names)
        if not names:
            yield source
        return
    for one in node.named_children:
        yield text(one if one.type == "dotted_name" else field(one, "name"))


def _use(scan: PythonScan, module: Module, node: "Node", name: str) -> Iterator[SdkUse]:
    package = name.partition(".")[0]
    if package in PACKAGES and scan.evaluator.repository.find(package, module) is None:
        yield SdkUse(place(module.path, node), PYPI, package, name, _is_guarded(node))


def _attribute(scan: PythonScan, module: Module, node: "Node") -> Iterator[SdkUse]:
    callee = field(node, "function") or node
    value = scan.evaluator.value(module, callee)
    if not isinstance(value, Member):
        return
    made = value.base.callee if isinstance(value.base, Call) else value.base
    package = made.name.partition(".")[0] if isinstance(made, External) else ""
    if package in PACKAGES and isinstance(made, External):
        yield SdkUse(
            Site(module, node).place, PYPI, package, f"{_short(made.name)}.{value.name}", _is_guarded(node)
        )


def _short(name: str) -> str:
    """Name a class by its package and its own name, wherever it was imported from."""
    return f"{name.partition('.')[0]}:{name.rpartition('.')[2]}"


def _is_guarded(node: "Node") -> bool:
    """Tell whether a statement may fail: a handler expects it, or it is for type checkers alone."""
    inner = node
    for above in ancestors(node):
        if above.type == "try_statement" and field(above, "body") == inner:
            clauses = [one for one in above.named_children if one.type == "except_clause"]
            if any(_expects(one) for one in clauses):
                return True
        if above.type == "except_clause" and _expects(above):
            return True
        if above.type == "if_statement" and "TYPE_CHECKING" in text(field(above, "condition")):
            return True
        inner = above
    return False


def _expects(clause: "Node") -> bool:
    caught = [one for one in clause.named_children if one.type not in ("block", "comment")]
    return not caught or any(name in text(caught[0]) for name in _EXPECTING)
