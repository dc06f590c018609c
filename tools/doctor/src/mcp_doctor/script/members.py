"""The members of classes, and what functions return."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcp_doctor.syntax.nodes import field, text
from mcp_doctor.syntax.values import Definition

if TYPE_CHECKING:
    from tree_sitter import Node

CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})
_FIELDS = frozenset({"public_field_definition", "field_definition"})


def returned_expression(function: "Node") -> "Node | None":
    """Give what a function returns, where returning is all that it does."""
    body = field(function, "body")
    if body is None:
        return None
    if body.type != "statement_block":
        return body
    statements = [node for node in body.named_children if node.type != "comment"]
    if len(statements) != 1 or statements[0].type != "return_statement":
        return None
    return next(iter(statements[0].named_children), None)


def member_node(owner: Definition, name: str) -> "Node | None":
    """Find a field or method of a class by its name, or what its constructor sets."""
    memory, key = owner.site.module.memory, ("members", owner.site.node.id)
    if key not in memory:
        memory[key] = _members(owner.site.node)
    found: dict[str, Node] = memory[key]
    return found.get(name)


def _members(node: "Node") -> "dict[str, Node]":
    found: dict[str, Node] = {}
    body = field(node, "body")
    for member in body.named_children if body is not None else ():
        if member.type in _FIELDS or member.type == "method_definition":
            key = text(field(member, "name") or field(member, "property")).strip("\"'")
            found.setdefault(key, member)
    for name, assignment in _assigned(found.get("constructor")):
        found.setdefault(name, assignment)
    return found


def _assigned(constructor: "Node | None") -> "Iterator[tuple[str, Node]]":
    block = field(constructor, "body")
    for statement in block.named_children if block is not None else ():
        inner = (
            next(iter(statement.named_children), None) if statement.type == "expression_statement" else None
        )
        left = (
            text(field(inner, "left")) if inner is not None and inner.type == "assignment_expression" else ""
        )
        if inner is not None and left.startswith("this."):
            yield left.removeprefix("this."), inner


def parent_expression(heritage: "Node | None") -> "Node | None":
    """Give the expression that a class extends."""
    if heritage is None or not heritage.named_children:
        return None
    first = heritage.named_children[0]
    return field(first, "value") if first.type == "extends_clause" else first
