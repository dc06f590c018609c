"""Enumerations of TypeScript, as written and as compiled."""

from typing import TYPE_CHECKING

from mcp_doctor.syntax.nodes import field, text
from mcp_doctor.syntax.values import (
    Fields,
    Site,
    Value,
)

if TYPE_CHECKING:
    from mcp_doctor.script.evaluate import Evaluation


def enumeration(run: "Evaluation", site: Site, depth: int) -> Value:
    """Read an enumeration, or what TypeScript compiles one to, once."""
    key = ("enumeration", site.node.id)
    if key not in site.module.memory:
        site.module.memory[key] = _enumeration(run, site, depth)
    known: Value = site.module.memory[key]
    return known


def _enumeration(run: "Evaluation", site: Site, depth: int) -> Value:
    entries: list[tuple[str, Value]] = []
    body = field(site.node, "body")
    if site.node.type == "enum_declaration":
        for child in body.named_children if body is not None else ():
            if child.type == "enum_assignment":
                name = text(field(child, "name")).strip("\"'")
                entries.append((name, run.child(Site(site.module, child), "value", depth)))
        return Fields(tuple(entries), site)
    callee = field(site.node, "function")
    function = (
        callee.named_children[0]
        if callee is not None and callee.type == "parenthesized_expression"
        else callee
    )
    block = field(function, "body")
    for statement in block.named_children if block is not None else ():
        inner = (
            statement.named_children[0]
            if statement.type == "expression_statement" and statement.named_children
            else None
        )
        left = field(inner, "left")
        key = field(left, "index") if left is not None and left.type == "subscript_expression" else None
        if (
            inner is not None
            and inner.type == "assignment_expression"
            and key is not None
            and key.type == "string"
        ):
            entries.append((text(key)[1:-1], run.child(Site(site.module, inner), "right", depth)))
    return Fields(tuple(entries), site)
