"""What each kind of Python expression is worth."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from mcp_doctor.python.calls import call
from mcp_doctor.python.strings import prefix, unescape
from mcp_doctor.syntax.nodes import field, text
from mcp_doctor.syntax.texts import LONGEST_TEXT, concatenated, part_of
from mcp_doctor.syntax.values import (
    Constant,
    Definition,
    Fields,
    Free,
    Items,
    Member,
    Partial,
    Site,
    Unknown,
    Value,
    as_string,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from mcp_doctor.python.evaluate import Evaluation


def _string(run: "Evaluation", site: Site, depth: int) -> Value:
    parts: list[str] = []
    whole, raw = True, False
    for child in site.node.children:
        if child.type == "string_start":
            raw = "r" in prefix(text(child))
        elif child.type == "string_content":
            content = text(child).replace("{{", "{").replace("}}", "}") if _formatted(site) else text(child)
            parts.append(content if raw else unescape(content))
        elif child.type == "interpolation":
            inner = field(child, "expression")
            value = Unknown("no expression", site) if inner is None else run.value(site.module, inner, depth)
            known = part_of(value)
            whole = whole and known is not None
            parts.append("…" if known is None else known)
    joined = "".join(parts)[:LONGEST_TEXT]
    return Constant(joined, site) if whole else Partial(joined, site)


def _formatted(site: Site) -> bool:
    start = site.node.children[0] if site.node.children else None
    return start is not None and "f" in prefix(text(start))


def _joined(run: "Evaluation", site: Site, depth: int) -> Value:
    values = [
        run.value(site.module, child, depth) for child in site.node.named_children if child.type == "string"
    ]
    return concatenated(values, site)


def _number(_: "Evaluation", site: Site, __: int) -> Value:
    digits = text(site.node).replace("_", "")
    try:
        return Constant(int(digits, 0) if site.node.type == "integer" else float(digits), site)
    except ValueError:
        return Unknown("this number is not read", site)


def _constant(value: bool | None) -> "Handler":
    return lambda _, site, __: Constant(value, site)


def _items(run: "Evaluation", site: Site, depth: int) -> Value:
    items: list[Value] = []
    complete = True
    for child in site.node.named_children:
        if child.type == "comment":
            continue
        if child.type in ("list_splat", "parenthesized_list_splat"):
            inner = run.value(site.module, child.named_children[0], depth) if child.named_children else None
            if isinstance(inner, Items):
                items.extend(inner.items)
            complete = complete and isinstance(inner, Items) and inner.complete
        else:
            items.append(run.value(site.module, child, depth))
    return Items(tuple(items), site, complete)


def _dictionary(run: "Evaluation", site: Site, depth: int) -> Value:
    entries: list[tuple[str, Value]] = []
    complete = True
    for child in site.node.named_children:
        if child.type == "pair":
            key = run.child(Site(site.module, child), "key", depth)
            known = as_string(key)
            complete = complete and known is not None
            if known is not None:
                entries.append((known, run.child(Site(site.module, child), "value", depth)))
        elif child.type == "dictionary_splat":
            inner = run.value(site.module, child.named_children[0], depth) if child.named_children else None
            if isinstance(inner, Fields):
                entries.extend(inner.entries)
            complete = complete and isinstance(inner, Fields) and inner.complete
    return Fields(tuple(entries), site, complete)


def _identifier(run: "Evaluation", site: Site, depth: int) -> Value:
    return run.name(site.module, text(site.node), site.node, depth)


def _attribute(run: "Evaluation", site: Site, depth: int) -> Value:
    base = run.child(site, "object", depth)
    return run.attribute(base, text(field(site.node, "attribute")), site, depth)


def _binary(run: "Evaluation", site: Site, depth: int) -> Value:
    """Join a chain of `+`, however long, without recursion."""
    operator = text(field(site.node, "operator"))
    parts: list[Node] = []
    node: Node | None = site.node
    while node is not None and node.type == "binary_operator" and text(field(node, "operator")) == operator:
        right = field(node, "right")
        if right is not None:
            parts.append(right)
        node = field(node, "left")
    if node is not None:
        parts.append(node)
    values = [run.value(site.module, part, depth) for part in reversed(parts)]
    if operator == "+" and all(isinstance(value, Items) for value in values):
        lists = [value for value in values if isinstance(value, Items)]
        items = tuple(item for one in lists for item in one.items)
        return Items(items, site, all(one.complete for one in lists))
    if operator == "+":
        return concatenated(values, site)
    if operator == "%" and isinstance(values[0], Constant | Partial):
        return concatenated([values[0], Unknown("formatted", site)], site)
    objects = [value for value in values if isinstance(value, Fields)]
    if operator == "|" and len(objects) == len(values):
        entries = tuple(entry for one in objects for entry in one.entries)
        return Fields(entries, site, all(one.complete for one in objects))
    return Unknown("this operation is not followed", site)


def _parenthesized(run: "Evaluation", site: Site, depth: int) -> Value:
    inner = next((child for child in site.node.named_children if child.type != "comment"), None)
    return Unknown("nothing in brackets", site) if inner is None else run.value(site.module, inner, depth)


def _subscript(run: "Evaluation", site: Site, depth: int) -> Value:
    base = run.child(site, "value", depth)
    index = run.child(site, "subscript", depth)
    if isinstance(base, Fields) and as_string(index) is not None:
        return base.get(as_string(index) or "") or Unknown("no such key", site)
    if isinstance(base, Items) and isinstance(index, Constant):
        at = index.value
        if isinstance(at, int) and -len(base.items) <= at < len(base.items):
            return base.items[at]
    if isinstance(base, Free) and as_string(index) is not None:
        return Member(base, as_string(index) or "", site)
    return Unknown("this element is not followed", site)


def _function(_: "Evaluation", site: Site, __: int) -> Value:
    return Definition("lambda", site)


Handler: TypeAlias = Callable[["Evaluation", Site, int], Value]
HANDLERS: Mapping[str, Handler] = {
    "string": _string,
    "concatenated_string": _joined,
    "integer": _number,
    "float": _number,
    "true": _constant(True),
    "false": _constant(False),
    "none": _constant(None),
    "list": _items,
    "tuple": _items,
    "set": _items,
    "expression_list": _items,
    "dictionary": _dictionary,
    "identifier": _identifier,
    "attribute": _attribute,
    "call": call,
    "binary_operator": _binary,
    "parenthesized_expression": _parenthesized,
    "await": _parenthesized,
    "subscript": _subscript,
    "lambda": _function,
    "type": _parenthesized,
}
