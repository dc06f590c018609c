"""What each kind of JavaScript or TypeScript expression is worth."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from mcp_doctor.script.calls import call
from mcp_doctor.script.strings import unescape
from mcp_doctor.syntax.nodes import field, text
from mcp_doctor.syntax.texts import LONGEST_TEXT, concatenated
from mcp_doctor.syntax.values import (
    Constant,
    Definition,
    Fields,
    Free,
    Items,
    Partial,
    Site,
    Unknown,
    Value,
    as_string,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from mcp_doctor.script.evaluate import Evaluation


def _string(_: "Evaluation", site: Site, __: int) -> Value:
    return Constant(unescape(text(site.node)[1:-1])[:LONGEST_TEXT], site)


def _template(run: "Evaluation", site: Site, depth: int) -> Value:
    parts: list[str] = []
    whole = True
    for child in site.node.named_children:
        if child.type == "template_substitution" and child.named_children:
            value = run.value(site.module, child.named_children[0], depth)
            known = str(value.value) if isinstance(value, Constant) else None
            whole = whole and known is not None
            parts.append("…" if known is None else known)
        else:
            parts.append(unescape(text(child)))
    joined = "".join(parts)[:LONGEST_TEXT]
    return Constant(joined, site) if whole else Partial(joined, site)


def _number(_: "Evaluation", site: Site, __: int) -> Value:
    digits = text(site.node).replace("_", "").rstrip("n")
    try:
        return Constant(int(digits, 0), site)
    except ValueError:
        pass
    try:
        return Constant(float(digits), site)
    except ValueError:
        return Unknown("this number is not read", site)


def _constant(value: bool | None) -> "Handler":
    return lambda _, site, __: Constant(value, site)


def _array(run: "Evaluation", site: Site, depth: int) -> Value:
    items: list[Value] = []
    complete = True
    for child in site.node.named_children:
        if child.type == "comment":
            continue
        if child.type == "spread_element":
            inner = run.value(site.module, child.named_children[0], depth) if child.named_children else None
            if isinstance(inner, Items):
                items.extend(inner.items)
            complete = complete and isinstance(inner, Items) and inner.complete
        else:
            items.append(run.value(site.module, child, depth))
    return Items(tuple(items), site, complete)


def _object(run: "Evaluation", site: Site, depth: int) -> Value:
    entries: list[tuple[str, Value]] = []
    complete = True
    for child in site.node.named_children:
        at = Site(site.module, child)
        match child.type:
            case "pair":
                key = _key(run, at, depth)
                complete = complete and key is not None
                if key is not None:
                    entries.append((key, run.child(at, "value", depth)))
            case "shorthand_property_identifier":
                entries.append((text(child), run.name(site.module, text(child), child, depth)))
            case "method_definition":
                name = text(field(child, "name"))
                entries.append((name, run.of_member(site.module, child, depth)))
            case "spread_element":
                inner = (
                    run.value(site.module, child.named_children[0], depth) if child.named_children else None
                )
                if isinstance(inner, Fields):
                    entries.extend(inner.entries)
                complete = complete and isinstance(inner, Fields) and inner.complete
    return Fields(tuple(entries), site, complete)


def _key(run: "Evaluation", site: Site, depth: int) -> str | None:
    key = field(site.node, "key")
    if key is None:
        return None
    if key.type == "string":
        return unescape(text(key)[1:-1])
    if key.type == "computed_property_name":
        return as_string(run.value(site.module, key.named_children[0], depth)) if key.named_children else None
    return text(key)


def _identifier(run: "Evaluation", site: Site, depth: int) -> Value:
    name = text(site.node)
    return Constant(None, site) if name == "undefined" else run.name(site.module, name, site.node, depth)


def _this(_: "Evaluation", site: Site, __: int) -> Value:
    return Free("this", site)


def _member(run: "Evaluation", site: Site, depth: int) -> Value:
    base = run.child(site, "object", depth)
    return run.attribute(base, text(field(site.node, "property")), site, depth)


def _subscript(run: "Evaluation", site: Site, depth: int) -> Value:
    index = run.child(site, "index", depth)
    if isinstance(index, Constant) and isinstance(index.value, str | int):
        return run.attribute(run.child(site, "object", depth), str(index.value), site, depth)
    return Unknown("this element is not followed", site)


def _binary(run: "Evaluation", site: Site, depth: int) -> Value:
    """Join a chain of `+`, however long, without recursion; take the left of `??` and `||`."""
    operator = text(field(site.node, "operator"))
    if operator in ("??", "||"):
        left = run.child(site, "left", depth)
        return left if isinstance(left, Constant) and left.value else Unknown("one of several values", site)
    if operator != "+":
        return Unknown("this operation is not followed", site)
    parts: list[Node] = []
    node: Node | None = site.node
    while node is not None and node.type == "binary_expression" and text(field(node, "operator")) == "+":
        right = field(node, "right")
        if right is not None:
            parts.append(right)
        node = field(node, "left")
    parts += [node] if node is not None else []
    values = [run.value(site.module, part, depth) for part in reversed(parts)]
    return concatenated(values, site)


def _first(run: "Evaluation", site: Site, depth: int) -> Value:
    inner = next((child for child in site.node.named_children if child.type != "comment"), None)
    return Unknown("nothing in brackets", site) if inner is None else run.value(site.module, inner, depth)


def _last(run: "Evaluation", site: Site, depth: int) -> Value:
    children = site.node.named_children
    return (
        Unknown("nothing in a sequence", site)
        if not children
        else run.value(site.module, children[-1], depth)
    )


def _asserted(run: "Evaluation", site: Site, depth: int) -> Value:
    """Look through `x as T`, `<T>x` and `x!`."""
    return _last(run, site, depth) if site.node.type == "type_assertion" else _first(run, site, depth)


def _function(_: "Evaluation", site: Site, __: int) -> Value:
    return Definition(text(field(site.node, "name")) or "function", site)


def _class(_: "Evaluation", site: Site, __: int) -> Value:
    return Definition(text(field(site.node, "name")) or "class", site, is_class=True)


def _assignment(run: "Evaluation", site: Site, depth: int) -> Value:
    return run.child(site, "right", depth)


Handler: TypeAlias = Callable[["Evaluation", Site, int], Value]
HANDLERS: Mapping[str, Handler] = {
    "string": _string,
    "template_string": _template,
    "number": _number,
    "true": _constant(True),
    "false": _constant(False),
    "null": _constant(None),
    "undefined": _constant(None),
    "array": _array,
    "object": _object,
    "identifier": _identifier,
    "this": _this,
    "member_expression": _member,
    "subscript_expression": _subscript,
    "call_expression": call,
    "new_expression": call,
    "binary_expression": _binary,
    "parenthesized_expression": _first,
    "await_expression": _first,
    "sequence_expression": _last,
    "as_expression": _asserted,
    "satisfies_expression": _asserted,
    "non_null_expression": _asserted,
    "type_assertion": _asserted,
    "instantiation_expression": _first,
    "arrow_function": _function,
    "function_expression": _function,
    "class": _class,
    "assignment_expression": _assignment,
    **dict.fromkeys(("function_declaration", "generator_function"), _function),
    **dict.fromkeys(("class_declaration", "abstract_class_declaration"), _class),
}
