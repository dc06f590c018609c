"""What each kind of Python expression is worth."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from mcp_doctor.python.strings import prefix, unescape
from mcp_doctor.syntax.nodes import field, text
from mcp_doctor.syntax.values import (
    Call,
    Constant,
    Definition,
    External,
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

LONGEST_TEXT = 200_000
_PLAIN_TEXT = frozenset({"strip", "lstrip", "rstrip", "lower", "upper", "title", "format", "replace"})
_DEDENTING = frozenset({"textwrap.dedent", "inspect.cleandoc", "dedent", "cleandoc"})


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
            known = _as_part(value)
            whole = whole and known is not None
            parts.append("…" if known is None else known)
    joined = "".join(parts)[:LONGEST_TEXT]
    return Constant(joined, site) if whole else Partial(joined, site)


def _formatted(site: Site) -> bool:
    start = site.node.children[0] if site.node.children else None
    return start is not None and "f" in prefix(text(start))


def _as_part(value: Value) -> str | None:
    if isinstance(value, Constant) and value.value is not None:
        return str(value.value)
    return None


def _joined(run: "Evaluation", site: Site, depth: int) -> Value:
    values = [
        run.value(site.module, child, depth) for child in site.node.named_children if child.type == "string"
    ]
    return concatenated(values, site)


def concatenated(values: Sequence[Value], site: Site) -> Value:
    """Join texts; Unknown where none of them is one."""
    if not any(isinstance(value, Partial) or as_string(value) is not None for value in values):
        return Unknown("the parts are no texts", site)
    parts, whole = [], True
    for value in values:
        known = value.text if isinstance(value, Partial) else _as_part(value)
        whole = whole and known is not None and not isinstance(value, Partial)
        parts.append("…" if known is None else known)
    joined = "".join(parts)[:LONGEST_TEXT]
    return Constant(joined, site) if whole else Partial(joined, site)


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


def _call(run: "Evaluation", site: Site, depth: int) -> Value:
    return _worth(run, plain_call(run, site, depth), depth)


def plain_call(run: "Evaluation", site: Site, depth: int) -> Call:
    """Evaluate the parts of a call, not its result."""
    callee = run.child(site, "function", depth)
    arguments = field(site.node, "arguments")
    args: list[Value] = []
    keywords: list[tuple[str, Value]] = []
    complete = True
    for child in arguments.named_children if arguments is not None else ():
        if child.type == "keyword_argument":
            keywords.append((text(field(child, "name")), run.child(Site(site.module, child), "value", depth)))
        elif child.type == "dictionary_splat":
            inner = run.value(site.module, child.named_children[0], depth) if child.named_children else None
            if isinstance(inner, Fields):
                keywords.extend(inner.entries)
            complete = complete and isinstance(inner, Fields) and inner.complete
        elif child.type == "list_splat":
            complete = False
        elif child.type != "comment":
            args.append(run.value(site.module, child, depth))
    return Call(callee, tuple(args), tuple(keywords), site, complete)


def _worth(run: "Evaluation", made: Call, depth: int) -> Value:
    """Follow calls whose result is plain: methods of texts, and functions that only return something."""
    callee = made.callee
    if (
        isinstance(callee, Member)
        and callee.name in _PLAIN_TEXT
        and isinstance(callee.base, Constant | Partial)
    ):
        return _text_method(callee, made)
    if (
        isinstance(callee, Member)
        and callee.name == "join"
        and as_string(callee.base) is not None
        and made.args
    ):
        parts = made.args[0].items if isinstance(made.args[0], Items) else ()
        return concatenated(parts, made.site) if parts else Partial("…", made.site)
    if isinstance(callee, External | Free) and callee.name in _DEDENTING and made.args:
        return made.args[0]
    if (
        isinstance(callee, Free)
        and callee.name in ("str", "list", "tuple", "set", "sorted")
        and len(made.args) == 1
    ):
        return made.args[0]
    if isinstance(callee, Definition) and not callee.is_class:
        returned = _returned(callee)
        if returned is not None:
            inner = run.within(run.bind(callee.site, made, depth))
            value = inner.value(callee.site.module, returned, depth + 3)
            run.steps = inner.steps
            if not isinstance(value, Unknown):
                return value
    return made


def _text_method(callee: Member, made: Call) -> Value:
    base = callee.base
    content = (
        base.text if isinstance(base, Partial) else str(base.value) if isinstance(base, Constant) else ""
    )
    if callee.name in ("format", "replace") or isinstance(base, Partial):
        return Partial(content, made.site)
    simple: str = getattr(content, callee.name)() if not made.args else content
    return Constant(simple, made.site)


def _returned(function: Definition) -> "Node | None":
    """Give what a function returns, where returning is all that it does."""
    body = field(function.site.node, "body")
    statements = [node for node in body.named_children if node.type != "comment"] if body is not None else []
    if (
        statements
        and statements[0].type == "expression_statement"
        and statements[0].named_children[:1]
        and statements[0].named_children[0].type == "string"
    ):
        statements = statements[1:]
    if len(statements) != 1 or statements[0].type != "return_statement":
        return None
    return next(iter(statements[0].named_children), None)


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
    "call": _call,
    "binary_operator": _binary,
    "parenthesized_expression": _parenthesized,
    "await": _parenthesized,
    "subscript": _subscript,
    "lambda": _function,
    "type": _parenthesized,
}
