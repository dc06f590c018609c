"""What JavaScript and TypeScript expressions are worth, followed through names, imports, enums and classes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from mcp_doctor.script.bindings import FUNCTIONS, Binding, Kind, bindings, scopes_of
from mcp_doctor.script.exports import Exported, exports
from mcp_doctor.script.repository import ScriptRepository
from mcp_doctor.script.strings import unescape
from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import ancestors, field, text
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

Environment: TypeAlias = Mapping[tuple[int, str], Value]
NOTHING: Environment = {}
DEEPEST = 40
MOST_STEPS = 20_000
LONGEST_TEXT = 200_000
MODULE = "<module>"
_PLAIN_TEXT = frozenset({"trim", "trimStart", "trimEnd", "toString", "replace", "replaceAll"})
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})
_FIELDS = frozenset({"public_field_definition", "field_definition"})


class ScriptEvaluator:
    """Evaluates expressions of a repository."""

    def __init__(self, repository: ScriptRepository) -> None:
        self.repository = repository

    def value(self, module: Module, node: "Node", env: Environment = NOTHING) -> Value:
        """Evaluate an expression; `env` gives values to parameters and loop variables."""
        return _Evaluation(self, env).value(module, node, 0)

    def exported(self, module: Module, name: str) -> Value:
        """Evaluate what a module exports under a name."""
        return _Evaluation(self, NOTHING).export(module, name, Site(module, module.root), 0)

    def attribute(self, base: Value, name: str, site: Site) -> Value:
        """Evaluate a property of a value."""
        return _Evaluation(self, NOTHING).attribute(base, name, site, 0)

    def bind(self, function: Site, args: Sequence[Value]) -> Environment:
        """Give the parameters of a function the values of arguments."""
        return _Evaluation(self, NOTHING).bind(function, args, 0)


@dataclass(slots=True)
class _Evaluation:
    """One evaluation, with its bound on steps."""

    of: ScriptEvaluator
    env: Environment
    steps: int = MOST_STEPS

    def value(self, module: Module, node: "Node", depth: int) -> Value:
        self.steps -= 1
        site = Site(module, node)
        if depth > DEEPEST or self.steps < 0:
            return Unknown("the expression is too deep to follow", site)
        handler = _HANDLERS.get(node.type)
        if handler is None:
            return Unknown(f"{node.type.replace('_', ' ')} is not followed", site)
        return handler(self, site, depth + 1)

    def child(self, site: Site, name: str, depth: int) -> Value:
        node = field(site.node, name)
        return Unknown("a part is missing", site) if node is None else self.value(site.module, node, depth)

    def name(self, module: Module, name: str, at: "Node", depth: int) -> Value:
        for scope in scopes_of(at):
            if (scope.id, name) in self.env:
                return self.env[(scope.id, name)]
            known = bindings(module, scope).get(name)
            if known:
                return self._bound(module, name, known, at, depth)
        return Free(name, Site(module, at))

    def _bound(self, module: Module, name: str, found: Sequence[Binding], at: "Node", depth: int) -> Value:
        self.steps -= 1
        site = Site(module, at)
        if depth > DEEPEST or self.steps < 0:
            return Unknown("names lead too far", site)
        chosen = _chosen(found)
        if chosen is None:
            return Unknown(f"{name} is assigned more than once", site)
        match chosen.kind:
            case Kind.VALUE:
                value = self.value(module, chosen.node, depth + 1)
                return self.attribute(value, chosen.member, site, depth + 1) if chosen.member else value
            case Kind.DEFINITION | Kind.CLASS:
                return Definition(name, Site(module, chosen.node), chosen.kind is Kind.CLASS)
            case Kind.ENUM:
                return _enumeration(self, Site(module, chosen.node), depth)
            case Kind.IMPORT:
                return self._imported(module, chosen, site, depth)
        where = chosen.node if chosen.kind is Kind.PARAMETER else at
        free = Free(name, Site(module, where))
        return Member(Free("<parameter>", free.site), chosen.member, site) if chosen.member else free

    def _imported(self, module: Module, binding: Binding, site: Site, depth: int) -> Value:
        source = self.of.repository.find(binding.source, module)
        member = binding.member or "*"
        if source is None:
            name = binding.source if member == "*" else f"{binding.source}#{member}"
            return External(name, site)
        if member == "*":
            return External(f"{MODULE}{source.path}", site)
        return self.export(source, member, site, depth + 1)

    def export(self, module: Module, name: str, site: Site, depth: int) -> Value:
        """Evaluate what a module exports under a name, through re-exports."""
        self.steps -= 1
        if depth > DEEPEST or self.steps < 0:
            return Unknown("exports lead too far", site)
        known = exports(module)
        found = known.names.get(name)
        if found is not None:
            return self._exported(module, found, site, depth)
        if name == "default" and known.whole is not None:
            return self.value(module, known.whole, depth + 1)
        if known.whole is not None:
            whole = self.value(module, known.whole, depth + 1)
            if isinstance(whole, Fields):
                return whole.get(name) or Unknown(f"{name} is not exported", site)
        for source in known.stars:
            inner = self.of.repository.find(source, module)
            if inner is not None and inner is not module:
                value = self.export(inner, name, site, depth + 3)
                if not isinstance(value, Unknown):
                    return value
        return Unknown(f"{name} is not exported where it is imported from", site)

    def _exported(self, module: Module, found: Exported, site: Site, depth: int) -> Value:
        if found.source:
            binding = Binding(Kind.IMPORT, found.node, found.source, found.name)
            return self._imported(module, binding, site, depth + 1)
        if found.name:
            known = bindings(module, module.root).get(found.name)
            return self._bound(module, found.name, known, found.node, depth + 1) if known else Unknown("not bound", site)
        return self.value(module, found.node, depth + 1)

    def attribute(self, base: Value, name: str, site: Site, depth: int) -> Value:
        self.steps -= 1
        if depth > DEEPEST or self.steps < 0:
            return Unknown("properties lead too far", site)
        match base:
            case External(full) if full.startswith(MODULE):
                module = self.of.repository.module(full.removeprefix(MODULE))
                return Unknown("the module cannot be read", site) if module is None else self.export(module, name, site, depth)
            case External(full):
                return External(f"{full}.{name}" if "#" in full else f"{full}#{name}", site)
            case Fields():
                return base.get(name) or Member(base, name, site)
            case Items() if name.isdigit() and int(name) < len(base.items):
                return base.items[int(name)]
            case Definition(is_class=True):
                return self._class_member(base, name, depth) or Member(base, name, site)
            case Call(Definition(is_class=True) as made):
                return self._class_member(made, name, depth) or Member(base, name, site)
            case Free("this"):
                around = next((one for one in ancestors(site.node) if one.type in _CLASSES), None)
                if around is not None:
                    owner = Definition(text(field(around, "name")), Site(site.module, around), is_class=True)
                    return self._class_member(owner, name, depth) or Member(base, name, site)
        return Member(base, name, site)

    def _class_member(self, owner: Definition, name: str, depth: int) -> Value | None:
        """Find a field, getter or method of a class or of one that it extends."""
        for _ in range(DEEPEST):
            found = _member_node(owner, name)
            if found is not None:
                return self._of_member(owner.site.module, found, depth)
            heritage = next((one for one in owner.site.node.named_children if one.type == "class_heritage"), None)
            parent = _parent_expression(heritage)
            value = self.value(owner.site.module, parent, depth + 1) if parent is not None else None
            if not isinstance(value, Definition) or not value.is_class:
                return None
            owner = value
        return None

    def _of_member(self, module: Module, node: "Node", depth: int) -> Value:
        if node.type == "method_definition":
            getter = any(child.type == "get" for child in node.children)
            returned = returned_expression(node) if getter else None
            if returned is not None:
                return self.value(module, returned, depth + 1)
            return Definition(text(field(node, "name")), Site(module, node))
        part = "right" if node.type == "assignment_expression" else "value"
        return self.child(Site(module, node), part, depth + 1)

    def bind(self, function: Site, args: Sequence[Value], depth: int) -> Environment:
        """Give the parameters of a function the values of arguments, also through destructuring."""
        bound: dict[tuple[int, str], Value] = {}
        single = field(function.node, "parameter")
        parameters = field(function.node, "parameters")
        nodes = [single] if single is not None else parameters.named_children if parameters is not None else []
        for node, value in zip(nodes, args, strict=False):
            pattern = field(node, "pattern") or field(node, "left") or node
            if pattern.type == "identifier":
                bound[(function.node.id, text(pattern))] = value
        for name, found in bindings(function.module, function.node).items():
            for one in found:
                position = next((number for number, node in enumerate(nodes) if node == one.node), None)
                if one.kind is Kind.PARAMETER and one.member and position is not None and position < len(args):
                    taken = self.attribute(args[position], one.member, args[position].site, depth + 1)
                    if not (isinstance(taken, Member) and isinstance(args[position], Fields)):
                        bound[(function.node.id, name)] = taken
        return bound


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


def _chosen(found: Sequence[Binding]) -> Binding | None:
    enumeration = next((one for one in found if one.kind is Kind.ENUM), None)
    if enumeration is not None:
        return enumeration
    solid = [one for one in found if one.kind is not Kind.OTHER]
    if len(solid) == 1:
        return solid[0]
    if not solid:
        return found[0]
    fixed = next((one for one in solid if one.kind in (Kind.IMPORT, Kind.DEFINITION, Kind.CLASS)), None)
    if fixed is not None:
        return fixed
    return solid[0] if all(one.kind is not Kind.VALUE for one in solid[1:]) else None


def _member_node(owner: Definition, name: str) -> "Node | None":
    body = field(owner.site.node, "body")
    for node in body.named_children if body is not None else ():
        if node.type in _FIELDS or node.type == "method_definition":
            key = field(node, "name") or field(node, "property")
            if text(key).strip("\"'") == name:
                return node
    constructor = next(
        (node for node in (body.named_children if body is not None else ()) if text(field(node, "name")) == "constructor"), None
    )
    return _assigned_in(constructor, name)


def _assigned_in(constructor: "Node | None", name: str) -> "Node | None":
    block = field(constructor, "body")
    for statement in block.named_children if block is not None else ():
        inner = statement.named_children[0] if statement.type == "expression_statement" and statement.named_children else None
        if inner is not None and inner.type == "assignment_expression" and text(field(inner, "left")) == f"this.{name}":
            return inner
    return None


def _parent_expression(heritage: "Node | None") -> "Node | None":
    if heritage is None or not heritage.named_children:
        return None
    first = heritage.named_children[0]
    return field(first, "value") if first.type == "extends_clause" else first


def _enumeration(run: _Evaluation, site: Site, depth: int) -> Value:
    """Read an enumeration, or what TypeScript compiles one to."""
    entries: list[tuple[str, Value]] = []
    body = field(site.node, "body")
    if site.node.type == "enum_declaration":
        for child in body.named_children if body is not None else ():
            if child.type == "enum_assignment":
                name = text(field(child, "name")).strip("\"'")
                entries.append((name, run.child(Site(site.module, child), "value", depth)))
        return Fields(tuple(entries), site)
    callee = field(site.node, "function")
    function = callee.named_children[0] if callee is not None and callee.type == "parenthesized_expression" else callee
    block = field(function, "body")
    for statement in block.named_children if block is not None else ():
        inner = statement.named_children[0] if statement.type == "expression_statement" and statement.named_children else None
        left = field(inner, "left")
        key = field(left, "index") if left is not None and left.type == "subscript_expression" else None
        if inner is not None and inner.type == "assignment_expression" and key is not None and key.type == "string":
            entries.append((text(key)[1:-1], run.child(Site(site.module, inner), "right", depth)))
    return Fields(tuple(entries), site)


def _string(_: _Evaluation, site: Site, __: int) -> Value:
    return Constant(unescape(text(site.node)[1:-1])[:LONGEST_TEXT], site)


def _template(run: _Evaluation, site: Site, depth: int) -> Value:
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


def _number(_: _Evaluation, site: Site, __: int) -> Value:
    digits = text(site.node).replace("_", "").rstrip("n")
    try:
        return Constant(int(digits, 0), site)
    except ValueError:
        pass
    try:
        return Constant(float(digits), site)
    except ValueError:
        return Unknown("this number is not read", site)


def _constant(value: bool | None) -> "_Handler":
    return lambda _, site, __: Constant(value, site)


def _array(run: _Evaluation, site: Site, depth: int) -> Value:
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


def _object(run: _Evaluation, site: Site, depth: int) -> Value:
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
                entries.append((name, run._of_member(site.module, child, depth)))
            case "spread_element":
                inner = run.value(site.module, child.named_children[0], depth) if child.named_children else None
                if isinstance(inner, Fields):
                    entries.extend(inner.entries)
                complete = complete and isinstance(inner, Fields) and inner.complete
    return Fields(tuple(entries), site, complete)


def _key(run: _Evaluation, site: Site, depth: int) -> str | None:
    key = field(site.node, "key")
    if key is None:
        return None
    if key.type == "string":
        return unescape(text(key)[1:-1])
    if key.type == "computed_property_name":
        return as_string(run.value(site.module, key.named_children[0], depth)) if key.named_children else None
    return text(key)


def _identifier(run: _Evaluation, site: Site, depth: int) -> Value:
    name = text(site.node)
    return Constant(None, site) if name == "undefined" else run.name(site.module, name, site.node, depth)


def _this(_: _Evaluation, site: Site, __: int) -> Value:
    return Free("this", site)


def _member(run: _Evaluation, site: Site, depth: int) -> Value:
    base = run.child(site, "object", depth)
    return run.attribute(base, text(field(site.node, "property")), site, depth)


def _subscript(run: _Evaluation, site: Site, depth: int) -> Value:
    index = run.child(site, "index", depth)
    if isinstance(index, Constant) and isinstance(index.value, str | int):
        return run.attribute(run.child(site, "object", depth), str(index.value), site, depth)
    return Unknown("this element is not followed", site)


def _call(run: _Evaluation, site: Site, depth: int) -> Value:
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


def _worth(run: _Evaluation, made: Call, depth: int) -> Value:
    """Follow calls whose result is plain: methods of texts and lists, small functions, `Object.freeze`."""
    callee = made.callee
    if isinstance(callee, Member) and isinstance(callee.base, Constant | Partial) and callee.name in _PLAIN_TEXT:
        content = callee.base.text if isinstance(callee.base, Partial) else str(callee.base.value)
        whole = isinstance(callee.base, Constant) and callee.name.startswith("trim")
        return Constant(content.strip(), made.site) if whole else Partial(content, made.site)
    if isinstance(callee, Member) and isinstance(callee.base, Items):
        return _of_list(callee.base, callee.name, made)
    if isinstance(callee, Member) and callee.name in ("freeze", "values", "fromEntries") and isinstance(callee.base, Free):
        return _of_object(callee.name, made)
    if isinstance(callee, Definition) and not callee.is_class:
        returned = returned_expression(callee.site.node)
        if returned is not None and callee.site.node.type in FUNCTIONS:
            inner = _Evaluation(run.of, {**run.env, **run.bind(callee.site, made.args, depth)}, run.steps)
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


def _binary(run: _Evaluation, site: Site, depth: int) -> Value:
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
    known = [value.text if isinstance(value, Partial) else str(value.value) if isinstance(value, Constant) else "…" for value in values]
    joined = "".join(known)[:LONGEST_TEXT]
    whole = all(isinstance(value, Constant) for value in values)
    return Constant(joined, site) if whole else Partial(joined, site)


def _first(run: _Evaluation, site: Site, depth: int) -> Value:
    inner = next((child for child in site.node.named_children if child.type != "comment"), None)
    return Unknown("nothing in brackets", site) if inner is None else run.value(site.module, inner, depth)


def _last(run: _Evaluation, site: Site, depth: int) -> Value:
    children = site.node.named_children
    return Unknown("nothing in a sequence", site) if not children else run.value(site.module, children[-1], depth)


def _asserted(run: _Evaluation, site: Site, depth: int) -> Value:
    """Look through `x as T`, `<T>x` and `x!`."""
    return _last(run, site, depth) if site.node.type == "type_assertion" else _first(run, site, depth)


def _function(_: _Evaluation, site: Site, __: int) -> Value:
    return Definition(text(field(site.node, "name")) or "function", site)


def _class(_: _Evaluation, site: Site, __: int) -> Value:
    return Definition(text(field(site.node, "name")) or "class", site, is_class=True)


def _assignment(run: _Evaluation, site: Site, depth: int) -> Value:
    return run.child(site, "right", depth)


_Handler: TypeAlias = Callable[[_Evaluation, Site, int], Value]
_HANDLERS: Mapping[str, _Handler] = {
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
    **{kind: _function for kind in ("function_declaration", "generator_function")},
    **{kind: _class for kind in ("class_declaration", "abstract_class_declaration")},
}
