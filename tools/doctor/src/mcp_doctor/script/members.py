"""The members of classes, and what functions return."""

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
    """Find a field or method of a class by its name."""
    body = field(owner.site.node, "body")
    for node in body.named_children if body is not None else ():
        if node.type in _FIELDS or node.type == "method_definition":
            key = field(node, "name") or field(node, "property")
            if text(key).strip("\"'") == name:
                return node
    constructor = next(
        (
            node
            for node in (body.named_children if body is not None else ())
            if text(field(node, "name")) == "constructor"
        ),
        None,
    )
    return _assigned_in(constructor, name)


def _assigned_in(constructor: "Node | None", name: str) -> "Node | None":
    block = field(constructor, "body")
    for statement in block.named_children if block is not None else ():
        inner = (
            statement.named_children[0]
            if statement.type == "expression_statement" and statement.named_children
            else None
        )
        if (
            inner is not None
            and inner.type == "assignment_expression"
            and text(field(inner, "left")) == f"this.{name}"
        ):
            return inner
    return None


def parent_expression(heritage: "Node | None") -> "Node | None":
    """Give the expression that a class extends."""
    if heritage is None or not heritage.named_children:
        return None
    first = heritage.named_children[0]
    return field(first, "value") if first.type == "extends_clause" else first
