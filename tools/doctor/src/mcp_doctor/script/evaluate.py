"""What JavaScript and TypeScript expressions are worth, followed through names, imports and classes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from mcp_doctor.script.bindings import Binding, Kind, bindings, scopes_of
from mcp_doctor.script.enumerations import enumeration
from mcp_doctor.script.exports import Exported, exports
from mcp_doctor.script.expressions import HANDLERS
from mcp_doctor.script.members import CLASSES, member_node, parent_expression, returned_expression
from mcp_doctor.script.repository import ScriptRepository
from mcp_doctor.script.zod import literal_value, object_shape
from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import ancestors, field, text
from mcp_doctor.syntax.values import (
    Call,
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
NOTHING: Environment = {}
DEEPEST = 40
MOST_STEPS = 20_000
MODULE = "<module>"


class ScriptEvaluator:
    """Evaluates expressions of a repository."""

    def __init__(self, repository: ScriptRepository) -> None:
        self.repository = repository

    def value(self, module: Module, node: "Node", env: Environment = NOTHING) -> Value:
        """Evaluate an expression; `env` gives values to parameters and loop variables."""
        return Evaluation(self, env).value(module, node, 0)

    def exported(self, module: Module, name: str) -> Value:
        """Evaluate what a module exports under a name."""
        return Evaluation(self, NOTHING).export(module, name, Site(module, module.root), 0)

    def attribute(self, base: Value, name: str, site: Site) -> Value:
        """Evaluate a property of a value."""
        return Evaluation(self, NOTHING).attribute(base, name, site, 0)

    def bind(self, function: Site, args: Sequence[Value]) -> Environment:
        """Give the parameters of a function the values of arguments."""
        return Evaluation(self, NOTHING).bind(function, args, 0)


@dataclass(slots=True)
class Evaluation:
    """One evaluation, with its bound on steps."""

    of: ScriptEvaluator
    env: Environment
    steps: int = MOST_STEPS

    def value(self, module: Module, node: "Node", depth: int) -> Value:
        self.steps -= 1
        site = Site(module, node)
        if depth > DEEPEST or self.steps < 0:
            return Unknown("the expression is too deep to follow", site)
        handler = HANDLERS.get(node.type)
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
                value = self._remembered(module, chosen.node, depth)
                return self.attribute(value, chosen.member, site, depth + 1) if chosen.member else value
            case Kind.DEFINITION | Kind.CLASS:
                return Definition(name, Site(module, chosen.node), chosen.kind is Kind.CLASS)
            case Kind.ENUM:
                return enumeration(self, Site(module, chosen.node), depth)
            case Kind.IMPORT:
                return self._imported(module, chosen, site, depth)
        where = chosen.node if chosen.kind is Kind.PARAMETER else at
        free = Free(name, Site(module, where))
        return Member(Free("<parameter>", free.site), chosen.member, site) if chosen.member else free

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
            return (
                self._bound(module, found.name, known, found.node, depth + 1)
                if known
                else Unknown("not bound", site)
            )
        return self.value(module, found.node, depth + 1)

    def attribute(self, base: Value, name: str, site: Site, depth: int) -> Value:
        self.steps -= 1
        if depth > DEEPEST or self.steps < 0:
            return Unknown("properties lead too far", site)
        known: Value | None = None
        match base:
            case External(full) if full.startswith(MODULE):
                known = self._of_module(full.removeprefix(MODULE), name, site, depth)
            case External(full):
                known = External(f"{full}.{name}" if "#" in full else f"{full}#{name}", site)
            case Fields() | Items():
                known = _element(base, name)
            case Definition(is_class=True) | Call(Definition(is_class=True)):
                owner = base.callee if isinstance(base, Call) else base
                known = self._class_member(owner, name, depth) if isinstance(owner, Definition) else None
            case Call():
                known = (
                    object_shape(base)
                    if name == "shape"
                    else literal_value(base)
                    if name == "value"
                    else None
                )
            case Free("this"):
                around = next((one for one in ancestors(site.node) if one.type in CLASSES), None)
                if around is not None:
                    owner = Definition(text(field(around, "name")), Site(site.module, around), is_class=True)
                    known = self._class_member(owner, name, depth)
        return known or Member(base, name, site)

    def _of_module(self, path: str, name: str, site: Site, depth: int) -> Value:
        module = self.of.repository.module(path)
        return (
            Unknown("the module cannot be read", site)
            if module is None
            else self.export(module, name, site, depth)
        )

    def _class_member(self, owner: Definition, name: str, depth: int) -> Value | None:
        """Find a field, getter or method of a class or of one that it extends."""
        for _ in range(DEEPEST):
            found = member_node(owner, name)
            if found is not None:
                return self.of_member(owner.site.module, found, depth)
            heritage = next(
                (one for one in owner.site.node.named_children if one.type == "class_heritage"), None
            )
            parent = parent_expression(heritage)
            value = self.value(owner.site.module, parent, depth + 1) if parent is not None else None
            if not isinstance(value, Definition) or not value.is_class:
                return None
            owner = value
        return None

    def within(self, bound: Environment) -> "Evaluation":
        """Give an evaluation in which more names have values."""
        return Evaluation(self.of, {**self.env, **bound}, self.steps)

    def of_member(self, module: Module, node: "Node", depth: int) -> Value:
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
        nodes = (
            [single] if single is not None else parameters.named_children if parameters is not None else []
        )
        for node, value in zip(nodes, args, strict=False):
            pattern = field(node, "pattern") or field(node, "left") or node
            if pattern.type == "identifier":
                bound[(function.node.id, text(pattern))] = value
        for name, found in bindings(function.module, function.node).items():
            for one in found:
                position = next((number for number, node in enumerate(nodes) if node == one.node), None)
                if (
                    one.kind is Kind.PARAMETER
                    and one.member
                    and position is not None
                    and position < len(args)
                ):
                    taken = self.attribute(args[position], one.member, args[position].site, depth + 1)
                    if not (isinstance(taken, Member) and isinstance(args[position], Fields)):
                        bound[(function.node.id, name)] = taken
        return bound


def _element(base: Fields | Items, name: str) -> Value | None:
    if isinstance(base, Fields):
        return base.get(name)
    return base.items[int(name)] if name.isdigit() and int(name) < len(base.items) else None


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
