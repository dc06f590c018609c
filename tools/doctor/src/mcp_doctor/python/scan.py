"""The modules that matter for tools, and questions asked of all of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from mcp_doctor.python.bindings import SCOPES, Kind, bindings, scopes_of
from mcp_doctor.python.evaluate import NOTHING, Environment, PythonEvaluator
from mcp_doctor.syntax.grammars import PYTHON, captures
from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import ancestors, text
from mcp_doctor.syntax.nodes import field as child
from mcp_doctor.syntax.values import Call, Constant, Definition, Fields, Items, Site, Value

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_ENVIRONMENTS = 1_000
_MOST_CALLERS = 300
_CALLS = "(call function: [(identifier) @name (attribute attribute: (identifier) @name)]) @call"
_CLASSES = "(class_definition) @class"
_DECORATORS = "(decorator) @decorator"


@dataclass(slots=True)
class PythonScan:
    """The parsed modules of a scan, with indexes that are made when they are asked for."""

    evaluator: PythonEvaluator
    modules: Sequence[Module]
    _callers: dict[str, list[Site]] | None = field(default=None, init=False)
    _classes: list[Definition] | None = field(default=None, init=False)

    def calls(self, *names: str) -> Iterator[Site]:
        """Give the calls of a function or method of one of these names, by module and place."""
        for name in names:
            yield from self._by_name().get(name, ())

    def _by_name(self) -> Mapping[str, list[Site]]:
        if self._callers is None:
            self._callers = {}
            for module in self.modules:
                for call in captures(PYTHON, _CALLS, module.root).get("call", ()):
                    name = text(child(call, "function")).rpartition(".")[2]
                    self._callers.setdefault(name, []).append(Site(module, call))
        return self._callers

    def decorator_names(self) -> frozenset[str]:
        """Give the last names of all decorators, and of the functions that those of the repository call."""
        found: set[str] = set()
        for module in self.modules:
            if b"@" in module.source:
                for node in captures(PYTHON, _DECORATORS, module.root).get("decorator", ()):
                    inner = node.named_children[0] if node.named_children else node
                    found.add(text(child(inner, "function") or inner).rpartition(".")[2])
        return frozenset(found - {"tool"})

    def subclasses(self, base: Definition) -> list[Definition]:
        """Give the classes that have a class among their bases, at any distance."""
        found = [base]
        for one in found:
            for other in self._all_classes():
                if other not in found and any(_same(parent, one) for parent in self._bases(other)):
                    found.append(other)
        return found[1:]

    def _all_classes(self) -> list[Definition]:
        if self._classes is None:
            self._classes = [
                Definition(text(child(node, "name")), Site(module, node), is_class=True)
                for module in self.modules
                for node in captures(PYTHON, _CLASSES, module.root).get("class", ())
            ]
        return self._classes

    def _bases(self, owner: Definition) -> list[Definition]:
        key = ("bases", owner.site.node.id)
        memory = owner.site.module.memory
        if key not in memory:
            arguments = child(owner.site.node, "superclasses")
            nodes = arguments.named_children if arguments is not None else []
            values = [self.evaluator.value(owner.site.module, node) for node in nodes]
            memory[key] = [value for value in values if isinstance(value, Definition)]
        known: list[Definition] = memory[key]
        return known

    def environments(self, site: Site) -> list[Environment]:
        """Give the values that loop variables and parameters around a node can have; one empty if none."""
        return list(islice(self._around(site, 0), MOST_ENVIRONMENTS)) or [NOTHING]

    def _around(self, site: Site, depth: int) -> Iterator[Environment]:
        outer = list(self._callers_of(site, depth)) or [NOTHING]
        loops = [
            scope for scope in scopes_of(site.node) if scope.type.endswith(("comprehension", "expression"))
        ]
        for environment in outer:
            yield from self._looped(
                site, list(reversed([*_for_loops(site.node), *_clauses(site.node, loops)])), environment
            )

    def _looped(
        self, site: Site, loops: list["tuple[Node, Node]"], environment: Environment
    ) -> Iterator[Environment]:
        if not loops:
            yield environment
            return
        (scope, loop), rest = loops[0], loops[1:]
        iterable = child(loop, "right")
        values = [] if iterable is None else self._elements(site.module, iterable, environment)
        if not values:
            yield from self._looped(site, rest, environment)
        for value in values:
            yield from self._looped(site, rest, {**environment, **_assigned(scope, loop, value)})

    def _elements(self, module: Module, iterable: "Node", environment: Environment) -> list[Value]:
        value = self.evaluator.value(module, iterable, environment)
        if isinstance(value, Items):
            return list(value.items)
        if isinstance(value, Fields):
            return [Constant(name, value.site) for name, _ in value.entries]
        if isinstance(value, Call):
            return _of_call(value)
        return []

    def _callers_of(self, site: Site, depth: int) -> Iterator[Environment]:
        """Bind the parameters of the function around a node to what its callers pass."""
        function = next((node for node in ancestors(site.node) if node.type == "function_definition"), None)
        if function is None or depth > 1:
            return
        name = text(child(function, "name"))
        wanted = _constructed(function) if name == "__init__" else (name,)
        for caller in islice(self.calls(*wanted), _MOST_CALLERS):
            call = self.evaluator.call(caller)
            if not _may_be(call.callee, function, name):
                continue
            for around in islice(self._around(caller, depth + 1), MOST_ENVIRONMENTS):
                again = self.evaluator.call(caller, around) if around else call
                yield {**around, **self.evaluator.bind(Site(site.module, function), again)}


def _may_be(callee: Value, function: "Node", name: str) -> bool:
    if isinstance(callee, Definition):
        return callee.site.node == function or name == "__init__"
    return True


def _constructed(function: "Node") -> tuple[str, ...]:
    around = next((node for node in ancestors(function) if node.type == "class_definition"), None)
    return (text(child(around, "name")),) if around is not None else ()


def _same(one: Definition, other: Definition) -> bool:
    return one.site.module is other.site.module and one.site.node == other.site.node


def _for_loops(node: "Node") -> list[tuple["Node", "Node"]]:
    found = []
    for above in ancestors(node):
        if above.type in ("function_definition", "lambda", "class_definition"):
            break
        if above.type == "for_statement":
            scope = next((one for one in ancestors(above) if one.type in SCOPES), above)
            found.append((scope, above))
    return found


def _clauses(node: "Node", loops: Sequence["Node"]) -> list[tuple["Node", "Node"]]:
    del node
    return [
        (scope, clause)
        for scope in loops
        for clause in reversed(scope.named_children)
        if clause.type == "for_in_clause"
    ]


def _assigned(scope: "Node", loop: "Node", value: Value) -> Environment:
    left = child(loop, "left")
    if left is None:
        return NOTHING
    if left.type == "identifier":
        return {(scope.id, text(left)): value}
    if isinstance(value, Items):
        return {
            (scope.id, text(name)): item for name, item in zip(left.named_children, value.items, strict=False)
        }
    return NOTHING


def _of_call(value: Call) -> list[Value]:
    """Give the elements of `d.items()`, `d.values()`, `d.keys()` and `enumerate(…)`."""
    callee = value.callee
    base = getattr(callee, "base", None)
    name = getattr(callee, "name", "")
    if isinstance(base, Fields) and name == "items":
        return [Items((Constant(key, value.site), one), value.site) for key, one in base.entries]
    if isinstance(base, Fields) and name == "values":
        return [one for _, one in base.entries]
    if isinstance(base, Fields) and name == "keys":
        return [Constant(key, value.site) for key, _ in base.entries]
    return []


def is_parameter(module: Module, name: str, at: "Node") -> bool:
    """Tell whether a name is a parameter of a function around a node."""
    for scope in scopes_of(at):
        known = bindings(module, scope).get(name)
        if known:
            return any(one.kind is Kind.PARAMETER for one in known)
    return False
