"""What each kind of JavaScript or TypeScript expression is worth."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from mcp_doctor.script.bindings import FUNCTIONS
from mcp_doctor.script.members import returned_expression
from mcp_doctor.script.strings import unescape
from mcp_doctor.script.zod import CONVERTERS
from mcp_doctor.syntax.nodes import field, text
from mcp_doctor.syntax.values import (
    Call,
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

    from mcp_doctor.script.evaluate import Evaluation

LONGEST_TEXT = 200_000
_PLAIN_TEXT = frozenset({"trim", "trimStart", "trimEnd", "toString", "replace", "replaceAll"})


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


def _call(run: "Evaluation", site: Site, depth: int) -> Value:
    callee = run.child(site, "constructor" if site.node.type == "new_expression" else "function", depth)
    arguments = field(site.node, "arguments")
    args: list[Value] = []
    complete = True
    for child in arguments.named_children if arguments is not None else ():
        if child.type == "spread_element":
            complete = False
        elif child.type != "comment":
            args.append(run.value(site.module, child, depth))
    made = Call(callee, tuple(args), (), site, complete)
    return made if site.node.type == "new_expression" else _worth(run, made, depth)


def _worth(run: "Evaluation", made: Call, depth: int) -> Value:
    """Follow calls whose result is plain: methods of texts and lists, small functions, `Object.freeze`."""
    callee = made.callee
    if (
        isinstance(callee, Member)
        and isinstance(callee.base, Constant | Partial)
        and callee.name in _PLAIN_TEXT
    ):
        content = callee.base.text if isinstance(callee.base, Partial) else str(callee.base.value)
        whole = isinstance(callee.base, Constant) and callee.name.startswith("trim")
        return Constant(content.strip(), made.site) if whole else Partial(content, made.site)
    if isinstance(callee, Member) and isinstance(callee.base, Items):
        return _of_list(callee.base, callee.name, made)
    if (
        isinstance(callee, Member)
        and callee.name in ("freeze", "values", "fromEntries")
        and isinstance(callee.base, Free)
    ):
        return _of_object(callee.name, made)
    if isinstance(callee, Definition) and not callee.is_class and callee.name not in CONVERTERS:
        returned = returned_expression(callee.site.node)
        if returned is not None and callee.site.node.type in FUNCTIONS:
            inner = run.within(run.bind(callee.site, made.args, depth))
            value = inner.value(callee.site.module, returned, depth + 3)
            run.steps = inner.steps
            if not isinstance(value, Unknown):
                return value
    return made


def _of_list(base: Items, method: str, made: Call) -> Value:
    if method == "join" and base.items:
        separator = as_string(made.args[0]) if made.args else ","
        parts = [str(item.value) if isinstance(item, Constant) else "…" for item in base.items]
        joined = (separator or "").join(parts)[:LONGEST_TEXT]
        whole = base.complete and all(isinstance(item, Constant) for item in base.items)
        return Constant(joined, made.site) if whole else Partial(joined, made.site)
    if method == "concat":
        lists = [one for one in made.args if isinstance(one, Items)]
        items = (*base.items, *(item for one in lists for item in one.items))
        return Items(items, made.site, base.complete and len(lists) == len(made.args))
    if method in ("filter", "slice", "sort", "flat"):
        return Items(base.items, made.site, complete=False)
    return made


def _of_object(method: str, made: Call) -> Value:
    first = made.args[0] if made.args else None
    if method == "freeze" and first is not None:
        return first
    if method == "values" and isinstance(first, Fields):
        return Items(tuple(value for _, value in first.entries), made.site, first.complete)
    return made


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
    return _concatenated(values, site)


def _concatenated(values: Sequence[Value], site: Site) -> Value:
    if not any(isinstance(value, Partial) or as_string(value) is not None for value in values):
        return Unknown("the parts are no texts", site)
    known = [
        value.text if isinstance(value, Partial) else str(value.value) if isinstance(value, Constant) else "…"
        for value in values
    ]
    joined = "".join(known)[:LONGEST_TEXT]
    whole = all(isinstance(value, Constant) for value in values)
    return Constant(joined, site) if whole else Partial(joined, site)


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
    "call_expression": _call,
    "new_expression": _call,
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
