"""What the classes of a Python repository hold."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_doctor.syntax.nodes import field, text, walk
from mcp_doctor.syntax.values import Definition, Site

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_BASES = 12
_ENUMS = frozenset({"Enum", "StrEnum", "IntEnum", "Flag"})


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a class: the site of its value or method, and the constructor that sets it, if any."""

    site: Site
    method: bool = False
    set_in: Site | None = None


def attribute_of(
    owner: Definition, name: str, bases: Callable[[Definition], list[Definition]]
) -> Attribute | None:
    """Find an attribute in a class, then in its bases; those from outside are not seen."""
    pending, seen = [owner], 0
    while pending and seen < MOST_BASES:
        one = pending.pop(0)
        seen += 1
        found = _in_body(one, name) or _in_constructor(one, name)
        if found is not None:
            return found
        pending.extend(bases(one))
    return None


def base_names(node: "Node") -> list[str]:
    """Give the bases of a class as they are written."""
    arguments = field(node, "superclasses")
    return [text(child) for child in arguments.named_children] if arguments is not None else []


def is_enum(owner: Definition) -> bool:
    """Tell whether a class names an enumeration among its bases."""
    return any(name.rpartition(".")[2] in _ENUMS for name in base_names(owner.site.node))


def statements(node: "Node") -> Iterator["Node"]:
    """Give the statements in the body of a class or function."""
    body = field(node, "body")
    yield from body.named_children if body is not None else ()


def _in_body(owner: Definition, name: str) -> Attribute | None:
    for statement in statements(owner.site.node):
        definition = field(statement, "definition") or statement
        if definition.type == "function_definition" and text(field(definition, "name")) == name:
            return Attribute(Site(owner.site.module, definition), method=True)
        if statement.type == "expression_statement":
            for child in statement.named_children:
                right = field(child, "right")
                if child.type == "assignment" and text(field(child, "left")) == name and right is not None:
                    return Attribute(Site(owner.site.module, right))
    return None


def _in_constructor(owner: Definition, name: str) -> Attribute | None:
    constructor = _in_body(owner, "__init__") if name != "__init__" else None
    if constructor is None:
        return None
    for node in walk(constructor.site.node):
        right = field(node, "right")
        if node.type == "assignment" and right is not None and text(field(node, "left")) == f"self.{name}":
            return Attribute(Site(owner.site.module, right), set_in=constructor.site)
    return None
