"""Small readings of syntax nodes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcp_doctor.facts.place import Place

if TYPE_CHECKING:
    from tree_sitter import Node


def text(node: "Node | None") -> str:
    """Give the source of a node, the empty text for none."""
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def field(node: "Node | None", name: str) -> "Node | None":
    """Give the child in a field."""
    return None if node is None else node.child_by_field_name(name)


def place(file: str, node: "Node") -> Place:
    """Say where a node stands."""
    start, end = node.start_point, node.end_point
    return Place(file, start.row + 1, start.column + 1, end.row + 1, end.column + 1)


def ancestors(node: "Node") -> Iterator["Node"]:
    """Give the nodes around one, innermost first."""
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def walk(root: "Node", *, stop: frozenset[str] = frozenset()) -> Iterator["Node"]:
    """Give a node and all named ones below, in order, without entering types in `stop`; never recurses."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        if node is root or node.type not in stop:
            pending.extend(reversed(node.named_children))
