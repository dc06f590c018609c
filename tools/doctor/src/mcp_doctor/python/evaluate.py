"""What Python expressions are worth, followed through names, imports, classes and small functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from mcp_doctor.python.bindings import Binding, Kind, bindings, scopes_of
from mcp_doctor.python.classes import attribute_of, is_enum
from mcp_doctor.python.repository import PythonRepository
from mcp_doctor.python.strings import prefix, unescape
from mcp_doctor.syntax.module import Module
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

Environment: TypeAlias = Mapping[tuple[int, str], Value]
"""Values of parameters and loop variables, by the id of their scope's node and their name."""

NOTHING: Environment = {}
DEEPEST = 40
MOST_STEPS = 20_000
LONGEST_TEXT = 200_000
_PLAIN_TEXT = frozenset({"strip", "lstrip", "rstrip", "lower", "upper", "title", "format", "replace"})
_DEDENTING = frozenset({"textwrap.dedent", "inspect.cleandoc", "dedent", "cleandoc"})


class PythonEvaluator:
    """Evaluates expressions of a repository."""

    def __init__(self, repository: PythonRepository) -> None:
        self.repository = repository

    def value(self, module: Module, node: "Node", env: Environment = NOTHING) -> Value:
        """Evaluate an expression; `env` gives values to parameters and loop variables."""
        return _Evaluation(self, env).value(module, node, 0)

    def name(self, module: Module, name: str, at: "Node", env: Environment = NOTHING) -> Value:
        """Evaluate a name as it is seen from a node."""
        return _Evaluation(self, env).name(module, name, at, 0)

    def exported(self, module: Module, name: str) -> Value:
        """Evaluate a name at the top of a module."""
        return _Evaluation(self, NOTHING).top(module, name, module.root, 0)

    def attribute(self, base: Value, name: str, site: Site, env: Environment = NOTHING) -> Value:
        """Evaluate an attribute of a value."""
        return _Evaluation(self, env).attribute(base, name, site, 0)


@dataclass(slots=True)
class _Evaluation:
    """One evaluation, with its bound on steps."""

    of: PythonEvaluator
    env: Environment
    steps: int = MOST_STEPS

    def value(self, module: Module, node: "Node", depth: int) -> Value:
        self.steps -= 1
        site = Site(module, node)
        if depth > DEEPEST or self.steps < 0:
            return Unknown("the expression is too deep to follow", site)
        handler = _HANDLERS.get(node.type)
        return Unknown(f"{node.type.replace('_', ' ')} is not followed", site) if handler is None else handler(self, site, depth + 1)

    def child(self, site: Site, name: str, depth: int) -> Value:
        node = field(site.node, name)
        return Unknown("a part is missing", site) if node is None else self.value(site.module, node, depth)

    def name(self, module: Module, name: str, at: "Node", depth: int) -> Value:
        for scope in scopes_of(at):
            if (scope.id, name) in self.env:
                return self.env[(scope.id, name)]
            known = bindings(module, scope)
            if name in known:
                return self._bound(module, name, known[name], at, depth)
        return self._starred(module, name, at, depth) or Free(name, Site(module, at))

    def top(self, module: Module, name: str, at: "Node", depth: int) -> Value:
        known = bindings(module, module.root)
        if name in known:
            return self._bound(module, name, known[name], at, depth)
        inner = self.of.repository.find(f".{name}", module) if module.path.endswith("__init__.py") else None
        if inner is not None:
            return External(f"<module>{inner.path}", Site(module, at))
        return self._starred(module, name, at, depth) or Free(name, Site(module, at))

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
                return self.value(module, chosen.node, depth + 1)
            case Kind.DEFINITION:
                is_class = chosen.node.type == "class_definition"
                return Definition(name, Site(module, chosen.node), is_class)
            case Kind.MODULE:
                inner = self.of.repository.find(chosen.source, module)
                return External(chosen.source if inner is None else f"<module>{inner.path}", site)
            case Kind.MEMBER:
                return self._imported(module, chosen, at, depth)
            case Kind.PARAMETER:
                return Free(name, Site(module, chosen.node))
        return Free(name, site)

    def _imported(self, module: Module, binding: Binding, at: "Node", depth: int) -> Value:
        source = self.of.repository.find(binding.source, module)
        if source is not None and source is not module:
            return self.top(source, binding.member, source.root, depth + 1)
        dots = "" if binding.source.endswith(".") else "."
        inner = self.of.repository.find(f"{binding.source}{dots}{binding.member}", module)
        if inner is not None:
            return External(f"<module>{inner.path}", Site(module, at))
        return External(f"{binding.source}.{binding.member}", Site(module, at))

    def _starred(self, module: Module, name: str, at: "Node", depth: int) -> Value | None:
        for binding in bindings(module, module.root).get("*", ()):
            source = self.of.repository.find(binding.source, module)
            if source is not None and source is not module and depth < DEEPEST:
                value = self.top(source, name, source.root, depth + 5)
                if not isinstance(value, Free):
                    return value
        return None

    def attribute(self, base: Value, name: str, site: Site, depth: int) -> Value:
        self.steps -= 1
        if depth > DEEPEST or self.steps < 0:
            return Unknown("attributes lead too far", site)
        match base:
            case External(full) if full.startswith("<module>"):
                module = self.of.repository.module(full.removeprefix("<module>"))
                return Unknown("the module cannot be read", site) if module is None else self.top(module, name, module.root, depth)
            case External(full):
                return External(f"{full}.{name}", site)
            case Definition(is_class=True):
                return self._class_attribute(base, name, site, depth)
            case Call(Definition(is_class=True) as made):
                return self._class_attribute(made, name, site, depth, base)
            case Constant() if name in ("value", "name"):
                return base
            case Fields():
                return base.get(name) or Member(base, name, site)
            case Free("self" | "cls"):
                return self._own_attribute(base, name, site, depth)
        return Member(base, name, site)

    def _own_attribute(self, base: Value, name: str, site: Site, depth: int) -> Value:
        around = next((scope for scope in _classes_around(site.node)), None)
        if around is None:
            return Member(base, name, site)
        own = Definition(text(field(around, "name")), Site(site.module, around), is_class=True)
        return self._class_attribute(own, name, site, depth)

    def _class_attribute(
        self, owner: Definition, name: str, site: Site, depth: int, made: Call | None = None
    ) -> Value:
        found = attribute_of(owner, name, self._base_classes(depth))
        if found is None:
            return Member(owner, name, site)
        node = found.site.node
        if found.method:
            return Definition(name, found.site)
        if found.set_in is not None and made is not None:
            bound = bind(self, found.set_in, made, depth)
            return _Evaluation(self.of, {**self.env, **bound}, self.steps).value(found.site.module, node, depth + 1)
        if found.set_in is not None:
            bound = self._super_arguments(owner, found.set_in, depth)
            return _Evaluation(self.of, {**self.env, **bound}, self.steps).value(found.site.module, node, depth + 1)
        value = self.value(found.site.module, node, depth + 1)
        if isinstance(value, Items) and value.items and is_enum(owner):
            return value.items[0]
        return value

    def _super_arguments(self, owner: Definition, constructor: Site, depth: int) -> Environment:
        """Find what the constructor of a class passes to that of its base."""
        own = attribute_of(owner, "__init__", lambda _: [])
        if own is None or own.site.node == constructor.node:
            return NOTHING
        pending = list(own.site.node.named_children)
        while pending:
            node = pending.pop()
            if node.type == "call" and text(field(node, "function")).endswith(".__init__"):
                call = self.value(own.site.module, node, depth + 1)
                if isinstance(call, Call):
                    return bind(self, constructor, call, depth)
            pending.extend(node.named_children)
        return NOTHING

    def _base_classes(self, depth: int) -> Callable[[Definition], list[Definition]]:
        def bases(owner: Definition) -> list[Definition]:
            arguments = field(owner.site.node, "superclasses")
            nodes = [node for node in arguments.named_children if node.type != "keyword_argument"] if arguments else []
            values = [self.value(owner.site.module, node, depth + 2) for node in nodes]
            return [value for value in values if isinstance(value, Definition) and value.is_class]

        return bases


def bind_call(evaluator: PythonEvaluator, function: Site, call: Call) -> Environment:
    """Give the parameters of a function the values of a call's arguments, else of their defaults."""
    return bind(_Evaluation(evaluator, NOTHING), function, call, 0)


def bind(evaluation: _Evaluation, function: Site, call: Call, depth: int) -> Environment:
    """Give the parameters of a function the values of a call's arguments, else of their defaults."""
    parameters = field(function.node, "parameters")
    bound: dict[tuple[int, str], Value] = {}
    positional = list(call.args)
    for node in parameters.named_children if parameters is not None else ():
        name_node = node if node.type == "identifier" else (field(node, "name") or next(iter(node.named_children), None))
        name = text(name_node)
        if name in ("self", "cls") or node.type in ("list_splat_pattern", "dictionary_splat_pattern"):
            continue
        given = call.keyword(name)
        if given is None and positional:
            given = positional.pop(0)
        default = field(node, "value")
        if given is None and default is not None:
            given = evaluation.value(function.module, default, depth + 1)
        if given is not None:
            bound[(function.node.id, name)] = given
    return bound


def _chosen(found: Sequence[Binding]) -> Binding | None:
    if len(found) == 1:
        return found[0]
    fixed = [one for one in found if one.kind in (Kind.DEFINITION, Kind.MEMBER, Kind.MODULE)]
    if fixed:
        return fixed[0]
    values = [one for one in found if one.kind is Kind.VALUE]
    solid = [one for one in values if one.node.type not in ("none", "null")]
    if len(solid) == 1 and all(one.kind in (Kind.VALUE, Kind.OTHER) for one in found):
        return solid[0] if all(one.kind is Kind.VALUE for one in found) else None
    parameter = next((one for one in found if one.kind is Kind.PARAMETER), None)
    return parameter if parameter is not None and not values else None


def _classes_around(node: "Node") -> list["Node"]:
    found = []
    above = node.parent
    while above is not None:
        if above.type == "class_definition":
            found.append(above)
        above = above.parent
    return found


def _string(run: _Evaluation, site: Site, depth: int) -> Value:
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


def _joined(run: _Evaluation, site: Site, depth: int) -> Value:
    values = [run.value(site.module, child, depth) for child in site.node.named_children if child.type == "string"]
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


def _number(_: _Evaluation, site: Site, __: int) -> Value:
    digits = text(site.node).replace("_", "")
    try:
        return Constant(int(digits, 0) if site.node.type == "integer" else float(digits), site)
    except ValueError:
        return Unknown("this number is not read", site)


def _constant(value: bool | None) -> "_Handler":
    return lambda _, site, __: Constant(value, site)


def _items(run: _Evaluation, site: Site, depth: int) -> Value:
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


def _dictionary(run: _Evaluation, site: Site, depth: int) -> Value:
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


def _identifier(run: _Evaluation, site: Site, depth: int) -> Value:
    return run.name(site.module, text(site.node), site.node, depth)


def _attribute(run: _Evaluation, site: Site, depth: int) -> Value:
    base = run.child(site, "object", depth)
    return run.attribute(base, text(field(site.node, "attribute")), site, depth)


def _call(run: _Evaluation, site: Site, depth: int) -> Value:
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
    made = Call(callee, tuple(args), tuple(keywords), site, complete)
    return _worth(run, made, depth)


def _worth(run: _Evaluation, made: Call, depth: int) -> Value:
    """Follow calls whose result is plain: methods of texts, and functions that only return something."""
    callee = made.callee
    if isinstance(callee, Member) and callee.name in _PLAIN_TEXT and isinstance(callee.base, Constant | Partial):
        return _text_method(callee, made)
    if isinstance(callee, Member) and callee.name == "join" and as_string(callee.base) is not None and made.args:
        parts = made.args[0].items if isinstance(made.args[0], Items) else ()
        return concatenated(parts, made.site) if parts else Partial("…", made.site)
    if isinstance(callee, External | Free) and callee.name in _DEDENTING and made.args:
        return made.args[0]
    if isinstance(callee, Free) and callee.name in ("str", "list", "tuple", "set", "sorted") and len(made.args) == 1:
        return made.args[0]
    if isinstance(callee, Definition) and not callee.is_class:
        returned = _returned(callee)
        if returned is not None:
            bound = bind(run, callee.site, made, depth)
            inner = _Evaluation(run.of, {**run.env, **bound}, run.steps)
            value = inner.value(callee.site.module, returned, depth + 3)
            run.steps = inner.steps
            if not isinstance(value, Unknown):
                return value
    return made


def _text_method(callee: Member, made: Call) -> Value:
    base = callee.base
    content = base.text if isinstance(base, Partial) else str(base.value) if isinstance(base, Constant) else ""
    if callee.name in ("format", "replace") or isinstance(base, Partial):
        return Partial(content, made.site)
    simple: str = getattr(content, callee.name)() if not made.args else content
    return Constant(simple, made.site)


def _returned(function: Definition) -> "Node | None":
    """Give what a function returns, where returning is all that it does."""
    body = field(function.site.node, "body")
    statements = [node for node in body.named_children if node.type != "comment"] if body is not None else []
    if statements and statements[0].type == "expression_statement" and statements[0].named_children[:1] and statements[0].named_children[0].type == "string":
        statements = statements[1:]
    if len(statements) != 1 or statements[0].type != "return_statement":
        return None
    return next(iter(statements[0].named_children), None)


def _binary(run: _Evaluation, site: Site, depth: int) -> Value:
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
    if operator == "|" and len(values) == 2 and all(isinstance(value, Fields) for value in values):
        left, right = values
        if isinstance(left, Fields) and isinstance(right, Fields):
            return Fields((*left.entries, *right.entries), site, left.complete and right.complete)
    return Unknown("this operation is not followed", site)


def _parenthesized(run: _Evaluation, site: Site, depth: int) -> Value:
    inner = next((child for child in site.node.named_children if child.type != "comment"), None)
    return Unknown("nothing in brackets", site) if inner is None else run.value(site.module, inner, depth)


def _subscript(run: _Evaluation, site: Site, depth: int) -> Value:
    base = run.child(site, "value", depth)
    index = run.child(site, "subscript", depth)
    if isinstance(base, Fields) and as_string(index) is not None:
        return base.get(as_string(index) or "") or Unknown("no such key", site)
    if isinstance(base, Items) and isinstance(index, Constant) and isinstance(index.value, int):
        if -len(base.items) <= index.value < len(base.items):
            return base.items[index.value]
    if isinstance(base, Free) and as_string(index) is not None:
        return Member(base, as_string(index) or "", site)
    return Unknown("this element is not followed", site)


def _function(_: _Evaluation, site: Site, __: int) -> Value:
    return Definition("lambda", site)


_Handler: TypeAlias = Callable[[_Evaluation, Site, int], Value]
_HANDLERS: Mapping[str, _Handler] = {
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
