"""The modules that matter for tools, and questions asked of all of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from mcp_doctor.script.bindings import FUNCTIONS
from mcp_doctor.script.evaluate import NOTHING, Environment, ScriptEvaluator
from mcp_doctor.syntax.grammars import captures
from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import ancestors, text
from mcp_doctor.syntax.nodes import field as child
from mcp_doctor.syntax.values import Call, Constant, Definition, Fields, Items, Site, Value

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_ENVIRONMENTS = 1_000
_MOST_CALLERS = 500
_CALLS = """
(call_expression
  function: [(identifier) @name (member_expression property: (property_identifier) @name)]) @call
(new_expression constructor: (identifier) @name) @call
(call_expression
  function: (parenthesized_expression
    (sequence_expression (member_expression property: (property_identifier) @name)))) @call
"""
_EACH = frozenset({"map", "forEach", "flatMap"})


@dataclass(slots=True)
class ScriptScan:
    """The parsed modules of a scan, with indexes that are made when they are asked for."""

    evaluator: ScriptEvaluator
    modules: Sequence[Module]
    _callers: dict[str, list[Site]] | None = field(default=None, init=False)

    def calls(self, *names: str) -> Iterator[Site]:
        """Give the calls of a function or method of one of these names, by module and place."""
        for name in names:
            yield from self._by_name().get(name, ())

    def _by_name(self) -> Mapping[str, list[Site]]:
        if self._callers is None:
            self._callers = {}
            for module in self.modules:
                for call in captures(module.grammar, _CALLS, module.root).get("call", ()):
                    self._callers.setdefault(called_name(call), []).append(Site(module, call))
        return self._callers

    def environments(self, site: Site) -> list[Environment]:
        """Give the values that loop variables and parameters around a node can have; one empty if none."""
        return list(islice(self._around(site, 0), MOST_ENVIRONMENTS)) or [NOTHING]

    def _around(self, site: Site, depth: int) -> Iterator[Environment]:
        function = next((node for node in ancestors(site.node) if node.type in FUNCTIONS), None)
        outer: list[Environment] = [NOTHING]
        if function is not None and depth <= 2:
            outer = list(
                islice(self._of_function(Site(site.module, function), depth), MOST_ENVIRONMENTS)
            ) or [NOTHING]
        loops = [
            above
            for above in ancestors(site.node)
            if above.type == "for_in_statement"
            and (function is None or above.start_byte > function.start_byte)
        ]
        for environment in outer:
            yield from self._looped(site.module, list(reversed(loops)), environment)

    def _of_function(self, function: Site, depth: int) -> Iterator[Environment]:
        """Bind the parameters of a function to what its callers, or the list it is mapped over, give it."""
        above = function.node.parent
        call = above.parent if above is not None and above.type == "arguments" else None
        if call is not None and called_name(call) in _EACH:
            yield from self._of_each(Site(function.module, call), function, depth)
            return
        name = function_name(function.node)
        for caller in islice(self.calls(name) if name else (), _MOST_CALLERS):
            made = self.evaluator.value(caller.module, caller.node)
            callee = child(caller.node, "function") or child(caller.node, "constructor")
            target = self.evaluator.value(caller.module, callee) if callee is not None else None
            if isinstance(target, Definition) and not target.is_class and target.site.node != function.node:
                continue
            del made
            for around in self._around(caller, depth + 1):
                args = self._arguments(caller, around)
                yield {**around, **self.evaluator.bind(function, args)}

    def _arguments(self, caller: Site, environment: Environment) -> list[Value]:
        arguments = child(caller.node, "arguments")
        nodes = arguments.named_children if arguments is not None else []
        return [
            self.evaluator.value(caller.module, node, environment) for node in nodes if node.type != "comment"
        ]

    def _of_each(self, call: Site, function: Site, depth: int) -> Iterator[Environment]:
        callee = child(call.node, "function")
        base = child(callee, "object")
        if base is None:
            return
        for around in self._around(call, depth + 1):
            for value in self._elements(call.module, base, around):
                yield {**around, **self.evaluator.bind(function, [value])}

    def _looped(self, module: Module, loops: list["Node"], environment: Environment) -> Iterator[Environment]:
        if not loops:
            yield environment
            return
        loop, rest = loops[0], loops[1:]
        iterable = child(loop, "right")
        values = self._elements(module, iterable, environment) if iterable is not None else []
        if not values:
            yield from self._looped(module, rest, environment)
        for value in values:
            yield from self._looped(module, rest, {**environment, **self._assigned(loop, value)})

    def _elements(self, module: Module, iterable: "Node", environment: Environment) -> list[Value]:
        value = self.evaluator.value(module, iterable, environment)
        if isinstance(value, Items):
            return list(value.items)
        if isinstance(value, Call) and isinstance(value.args[0] if value.args else None, Fields):
            return _of_entries(value)
        return []

    def _assigned(self, loop: "Node", value: Value) -> Environment:
        left = child(loop, "left")
        if left is None:
            return NOTHING
        if left.type == "identifier":
            return {(loop.id, text(left)): value}
        if left.type == "array_pattern" and isinstance(value, Items):
            return {
                (loop.id, text(name)): item
                for name, item in zip(left.named_children, value.items, strict=False)
            }
        if left.type == "object_pattern" and isinstance(value, Fields):
            return {(loop.id, name): member for name, member in value.entries}
        return NOTHING


def called_name(call: "Node") -> str:
    """Give the last name of what is called."""
    callee = child(call, "function") or child(call, "constructor")
    if callee is not None and callee.type == "parenthesized_expression" and callee.named_children:
        callee = callee.named_children[0]
        callee = callee.named_children[-1] if callee.named_children else callee
    return text(child(callee, "property") or callee)


def function_name(function: "Node") -> str:
    """Give the name under which a function can be called; that of its class for a constructor."""
    name = child(function, "name")
    if name is not None and text(name) == "constructor":
        around = next(
            (
                one
                for one in ancestors(function)
                if one.type.endswith("class_declaration") or one.type == "class"
            ),
            None,
        )
        return text(child(around, "name"))
    if name is not None:
        return text(name)
    above = function.parent
    while above is not None and above.type in ("arguments", "call_expression", "parenthesized_expression"):
        above = above.parent
    if above is not None and above.type == "variable_declarator":
        return text(child(above, "name"))
    if above is not None and above.type in ("pair", "assignment_expression", "public_field_definition"):
        return text(child(above, "key") or child(above, "left") or child(above, "name")).rpartition(".")[2]
    return ""


def _of_entries(value: Call) -> list[Value]:
    """Give the elements of `Object.entries(o)` and `Object.keys(o)`."""
    name = getattr(value.callee, "name", "")
    fields = value.args[0]
    if not isinstance(fields, Fields):
        return []
    if name == "entries":
        return [Items((Constant(key, value.site), one), value.site) for key, one in fields.entries]
    if name == "keys":
        return [Constant(key, value.site) for key, _ in fields.entries]
    return []
