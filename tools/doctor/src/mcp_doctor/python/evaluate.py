"""What Python expressions are worth, followed through names, imports, classes and small functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from mcp_doctor.python.bindings import Binding, Kind, bindings, chosen, scopes_of
from mcp_doctor.python.calls import plain_call
from mcp_doctor.python.classes import attribute_of, is_enum
from mcp_doctor.python.expressions import HANDLERS
from mcp_doctor.python.repository import PythonRepository
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
    Site,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from tree_sitter import Node

Environment: TypeAlias = Mapping[tuple[int, str], Value]
"""Values of parameters and loop variables, by the id of their scope's node and their name."""

NOTHING: Environment = {}
DEEPEST = 40
MOST_STEPS = 20_000


class PythonEvaluator:
    """Evaluates expressions of a repository."""

    def __init__(self, repository: PythonRepository) -> None:
        self.repository = repository

    def value(self, module: Module, node: "Node", env: Environment = NOTHING) -> Value:
        """Evaluate an expression; `env` gives values to parameters and loop variables."""
        return Evaluation(self, env).value(module, node, 0)

    def call(self, site: Site, env: Environment = NOTHING) -> Call:
        """Evaluate the parts of a call, not its result."""
        return plain_call(Evaluation(self, env), site, 0)

    def name(self, module: Module, name: str, at: "Node", env: Environment = NOTHING) -> Value:
        """Evaluate a name as it is seen from a node."""
        return Evaluation(self, env).name(module, name, at, 0)

    def exported(self, module: Module, name: str) -> Value:
        """Evaluate a name at the top of a module."""
        return Evaluation(self, NOTHING).top(module, name, module.root, 0)

    def bind(self, function: Site, call: Call) -> Environment:
        """Give the parameters of a function the values of a call's arguments, else of their defaults."""
        return Evaluation(self, NOTHING).bind(function, call, 0)

    def attribute(self, base: Value, name: str, site: Site, env: Environment = NOTHING) -> Value:
        """Evaluate an attribute of a value."""
        return Evaluation(self, env).attribute(base, name, site, 0)


@dataclass(slots=True)
class Evaluation:
    """One evaluation, with its bound on steps."""

    of: PythonEvaluator
    env: Environment
    steps: int = MOST_STEPS

    def value(self, module: Module, node: "Node", depth: int) -> Value:
        self.steps -= 1
        site = Site(module, node)
        if depth > DEEPEST or self.steps < 0:
            return Unknown("the expression is too deep to follow", site)
        handler = HANDLERS.get(node.type)
        return (
            Unknown(f"{node.type.replace('_', ' ')} is not followed", site)
            if handler is None
            else handler(self, site, depth + 1)
        )

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
        return self._starred(module, name, depth) or Free(name, Site(module, at))

    def top(self, module: Module, name: str, at: "Node", depth: int) -> Value:
        known = bindings(module, module.root)
        if name in known:
            return self._bound(module, name, known[name], at, depth)
        inner = self.of.repository.find(f".{name}", module) if module.path.endswith("__init__.py") else None
        if inner is not None:
            return External(f"<module>{inner.path}", Site(module, at))
        return self._starred(module, name, depth) or Free(name, Site(module, at))

    def _bound(self, module: Module, name: str, found: Sequence[Binding], at: "Node", depth: int) -> Value:
        self.steps -= 1
        site = Site(module, at)
        if depth > DEEPEST or self.steps < 0:
            return Unknown("names lead too far", site)
        binding = chosen(found)
        if binding is None:
            return Unknown(f"{name} is assigned more than once", site)
        match binding.kind:
            case Kind.VALUE:
                return self._remembered(module, binding.node, depth)
            case Kind.DEFINITION:
                is_class = binding.node.type == "class_definition"
                return Definition(name, Site(module, binding.node), is_class)
            case Kind.MODULE:
                inner = self.of.repository.find(binding.source, module)
                return External(binding.source if inner is None else f"<module>{inner.path}", site)
            case Kind.MEMBER:
                return self._imported(module, binding, at, depth)
            case Kind.PARAMETER:
                return Free(name, Site(module, binding.node))
        return Free(name, site)

    def _remembered(self, module: Module, node: "Node", depth: int) -> Value:
        """Evaluate what a name is bound to, once where no parameter or loop variable can change it."""
        key = ("value", node.id)
        if self.env or key not in module.memory:
            value = self.value(module, node, depth + 1)
            if self.env or isinstance(value, Unknown):
                return value
            module.memory[key] = value
        known: Value = module.memory[key]
        return known

    def _imported(self, module: Module, binding: Binding, at: "Node", depth: int) -> Value:
        source = self.of.repository.find(binding.source, module)
        if source is not None and source is not module:
            return self.top(source, binding.member, source.root, depth + 1)
        dots = "" if binding.source.endswith(".") else "."
        inner = self.of.repository.find(f"{binding.source}{dots}{binding.member}", module)
        if inner is not None:
            return External(f"<module>{inner.path}", Site(module, at))
        return External(f"{binding.source}.{binding.member}", Site(module, at))

    def _starred(self, module: Module, name: str, depth: int) -> Value | None:
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
        known: Value | None = None
        match base:
            case External(full) if full.startswith("<module>"):
                known = self._of_module(full.removeprefix("<module>"), name, site, depth)
            case External(full):
                known = External(f"{full}.{name}", site)
            case Definition(is_class=True):
                known = self._class_attribute(base, name, site, depth)
            case Call(Definition(is_class=True) as owner):
                known = self._class_attribute(owner, name, site, depth, base)
            case Constant() if name in ("value", "name"):
                known = base
            case Fields():
                known = base.get(name)
            case Definition() if name == "__name__":
                known = Constant(base.name, site)
            case Free():
                annotated = self._own_class(base, site) or self._annotated(base, depth)
                known = self._class_attribute(annotated, name, site, depth) if annotated is not None else None
        return known or Member(base, name, site)

    def _of_module(self, path: str, name: str, site: Site, depth: int) -> Value:
        module = self.of.repository.module(path)
        if module is None:
            return Unknown("the module cannot be read", site)
        return self.top(module, name, module.root, depth)

    def _annotated(self, parameter: Free, depth: int) -> Definition | None:
        """Find the class of the repository that the annotation of a parameter names."""
        node = field(parameter.site.node, "type") if parameter.site.node.type.startswith("typed") else None
        inner = node.named_children[0] if node is not None and node.named_children else None
        if inner is None or inner.type not in ("identifier", "attribute"):
            return None
        value = self.value(parameter.site.module, inner, depth + 1)
        return value if isinstance(value, Definition) and value.is_class else None

    def _own_class(self, name: Free, site: Site) -> Definition | None:
        """Give the class around a node where a name is `self` or `cls`."""
        if name.name not in ("self", "cls"):
            return None
        around = next((one for one in ancestors(site.node) if one.type == "class_definition"), None)
        if around is None:
            return None
        return Definition(text(field(around, "name")), Site(site.module, around), is_class=True)

    def _class_attribute(
        self, owner: Definition, name: str, site: Site, depth: int, made: Call | None = None
    ) -> Value:
        found = attribute_of(owner, name, self._base_classes(depth))
        if found is None:
            return Member(made or owner, name, site)
        node = found.site.node
        if found.method:
            return Definition(name, found.site)
        if found.set_in is not None and made is not None:
            bound = self.bind(found.set_in, made, depth)
            return self.within(bound).value(found.site.module, node, depth + 1)
        if found.set_in is not None:
            bound = self._super_arguments(owner, found.set_in, depth)
            return self.within(bound).value(found.site.module, node, depth + 1)
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
                    return self.bind(constructor, call, depth)
            pending.extend(node.named_children)
        return NOTHING

    def _base_classes(self, depth: int) -> Callable[[Definition], list[Definition]]:
        def bases(owner: Definition) -> list[Definition]:
            arguments = field(owner.site.node, "superclasses")
            nodes = (
                [node for node in arguments.named_children if node.type != "keyword_argument"]
                if arguments
                else []
            )
            values = [self.value(owner.site.module, node, depth + 2) for node in nodes]
            return [value for value in values if isinstance(value, Definition) and value.is_class]

        return bases

    def within(self, bound: Environment) -> "Evaluation":
        """Give an evaluation in which more names have values."""
        return Evaluation(self.of, {**self.env, **bound}, self.steps)

    def bind(self, function: Site, call: Call, depth: int) -> Environment:
        """Give the parameters of a function the values of a call's arguments, else of their defaults."""
        parameters = field(function.node, "parameters")
        bound: dict[tuple[int, str], Value] = {}
        positional = list(call.args)
        for node in parameters.named_children if parameters is not None else ():
            name_node = (
                node
                if node.type == "identifier"
                else (field(node, "name") or next(iter(node.named_children), None))
            )
            name = text(name_node)
            if name in ("self", "cls") or node.type in ("list_splat_pattern", "dictionary_splat_pattern"):
                continue
            given = call.keyword(name)
            if given is None and positional:
                given = positional.pop(0)
            default = field(node, "value")
            if given is None and default is not None:
                given = self.value(function.module, default, depth + 1)
            if given is not None:
                bound[(function.node.id, name)] = given
        return bound
