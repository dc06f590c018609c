"""What a JavaScript or TypeScript module exports, in ES and CommonJS form."""

from dataclasses import dataclass
from dataclasses import field as attribute
from typing import TYPE_CHECKING

from mcp_doctor.script.bindings import module_string
from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import field, text

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Exported:
    """One export: a name of the module, or of `source`; else the node is the value."""

    node: "Node"
    name: str = ""
    source: str = ""


@dataclass(slots=True)
class Exports:
    """Exports by name, modules of which everything is exported, and the value of `module.exports`."""

    names: dict[str, Exported] = attribute(default_factory=dict)
    stars: list[str] = attribute(default_factory=list)
    whole: "Node | None" = None


def exports(module: Module) -> Exports:
    """Give the exports of a module."""
    if "exports" not in module.memory:
        found = Exports()
        for node in module.root.named_children:
            if node.type == "export_statement":
                _statement(node, found)
            elif node.type == "expression_statement" and node.named_children:
                _common(node.named_children[0], found)
        module.memory["exports"] = found
    known: Exports = module.memory["exports"]
    return known


def _statement(node: "Node", found: Exports) -> None:
    declaration, value = field(node, "declaration"), field(node, "value")
    source = module_string(field(node, "source"))
    is_default = any(child.type == "default" for child in node.children)
    if value is not None:
        found.names["default"] = Exported(value)
    elif declaration is not None:
        _declaration(declaration, found, is_default=is_default)
    else:
        clauses = [
            child for child in node.named_children if child.type in ("export_clause", "namespace_export")
        ]
        if source and not clauses:
            found.stars.append(source)
        for clause in clauses:
            _clause(clause, source, found)


def _clause(clause: "Node", source: str, found: Exports) -> None:
    if clause.type == "namespace_export":
        found.names[text(clause.named_children[0])] = Exported(clause, "*", source)
        return
    for one in clause.named_children:
        if one.type == "export_specifier":
            name = text(field(one, "name"))
            found.names[text(field(one, "alias")) or name] = Exported(one, name, source)


def _declaration(node: "Node", found: Exports, *, is_default: bool) -> None:
    if node.type in ("lexical_declaration", "variable_declaration"):
        for child in node.named_children:
            name = field(child, "name")
            if name is not None and name.type == "identifier":
                found.names[text(name)] = Exported(child, text(name))
        return
    name_node = field(node, "name")
    if is_default:
        found.names["default"] = Exported(node)
    elif name_node is not None:
        found.names[text(name_node)] = Exported(node, text(name_node))


def _common(node: "Node", found: Exports) -> None:
    """Read `exports.a = exports.b = x`, `module.exports = x`, and `__exportStar(require("…"), exports)`."""
    targets: list[str] = []
    while node.type == "assignment_expression":
        targets.append(text(field(node, "left")))
        right = field(node, "right")
        if right is None:
            return
        node = right
    for target in targets:
        if target in ("module.exports", "exports"):
            found.whole = node
        elif target.startswith(("exports.", "module.exports.")) and not _is_void(node):
            found.names[target.rpartition(".")[2]] = Exported(
                node, text(node) if node.type == "identifier" else ""
            )
    if node.type == "call_expression" and "exportStar" in text(field(node, "function")):
        arguments = field(node, "arguments")
        inner = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        specifier = field(inner, "arguments")
        if specifier is not None and specifier.named_children:
            found.stars.append(module_string(specifier.named_children[0]))


def _is_void(node: "Node") -> bool:
    return node.type in ("unary_expression", "undefined")
