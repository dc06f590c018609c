"""Mutants of a module: one condition, comparison, quantifier, alternative or severity changed in each."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

_COMPARISONS: dict[type[cst.BaseCompOp], cst.BaseCompOp] = {
    cst.Equal: cst.NotEqual(),
    cst.NotEqual: cst.Equal(),
    cst.Is: cst.IsNot(),
    cst.IsNot: cst.Is(),
    cst.In: cst.NotIn(),
    cst.NotIn: cst.In(),
    cst.LessThan: cst.LessThanEqual(),
    cst.LessThanEqual: cst.LessThan(),
    cst.GreaterThan: cst.GreaterThanEqual(),
    cst.GreaterThanEqual: cst.GreaterThan(),
}
"""Equality, identity and membership are turned round; an order gains or loses its bound."""
_OPPOSITES: dict[type[cst.BaseCompOp], cst.BaseCompOp] = {
    cst.LessThan: cst.GreaterThanEqual(),
    cst.LessThanEqual: cst.GreaterThan(),
    cst.GreaterThan: cst.LessThanEqual(),
    cst.GreaterThanEqual: cst.LessThan(),
}
_VALUES = cst.SimpleString | cst.FormattedString | cst.BaseNumber | cst.Tuple | cst.List | cst.Dict
_SEVERITIES = {"ERROR": "WARNING", "WARNING": "INFO", "INFO": "WARNING"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one change: its text, the line (from 1) and function of it, the code before and after."""

    text: str
    line: int
    within: str
    was: str
    now: str


def mutants_of(source: str) -> list[Mutant]:
    """List the mutants of a module in the order of its text. Raises libcst.ParserSyntaxError."""
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    collector = _Collector()
    wrapper.visit(collector)
    module = wrapper.module
    found: dict[str, Mutant] = {}
    for change in collector.changes:
        changed = module.deep_replace(change.node, change.replacement)
        if not isinstance(changed, cst.Module):
            raise TypeError("a module stays one")
        was, now = (_one_line(module.code_for_node(node)) for node in (change.node, change.replacement))
        mutant = Mutant(changed.code, change.line, change.within, was, now)
        found.setdefault(mutant.text, mutant)
    found.pop(source, None)
    return list(found.values())


def difference(source: str, mutant: Mutant, name: str) -> str:
    """Show what a mutant changes, as a unified diff without context."""
    lines = difflib.unified_diff(
        source.splitlines(), mutant.text.splitlines(), name, f"{name} (mutant)", lineterm="", n=0
    )
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Change:
    node: cst.CSTNode
    replacement: cst.CSTNode
    line: int
    within: str


_Pair = tuple[cst.CSTNode, cst.CSTNode]


class _Collector(cst.CSTVisitor):
    """Collects the changes of a module while it is walked."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.changes: list[_Change] = []
        self._names: list[str] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Collect what can be changed at a node; what stands for type checkers alone is left out."""
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self._names.append(node.name.value)
        if (
            isinstance(node, cst.If)
            and isinstance(node.test, cst.Name)
            and node.test.value == "TYPE_CHECKING"
        ):
            return False
        for changed, replacement in _changes(node):
            line = self.get_metadata(PositionProvider, changed).start.line
            self.changes.append(_Change(changed, replacement, line, ".".join(self._names)))
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        """Leave a function or class."""
        if isinstance(original_node, cst.FunctionDef | cst.ClassDef):
            self._names.pop()


def _changes(node: cst.CSTNode) -> Iterator[_Pair]:
    """Give what may be changed at a node, with what takes its place."""
    match node:
        case cst.If() | cst.While() | cst.IfExp() | cst.CompIf():
            yield node.test, _negated(node.test)
        case cst.MatchCase(guard=cst.BaseExpression() as guard):
            yield guard, _negated(guard)
        case cst.MatchOr():
            yield from _alternatives(node)
        case cst.BooleanOperation():
            for operand in (node.left, node.right):
                yield node, _bracketed(operand)
                if not _is_written_out(operand):
                    yield operand, _negated(operand)
        case cst.UnaryOperation(operator=cst.Not()):
            yield node, _bracketed(node.expression)
        case cst.Comparison():
            yield from _comparisons(node)
        case cst.Call(func=cst.Name(value="any" | "all" as name)):
            yield node.func, cst.Name("all" if name == "any" else "any")
        case cst.Attribute(value=cst.Name(value="Severity"), attr=cst.Name(value=name)) if (
            name in _SEVERITIES
        ):
            yield node, node.with_changes(attr=cst.Name(_SEVERITIES[name]))


def _alternatives(node: cst.MatchOr) -> Iterator[_Pair]:
    """Leave out each alternative of a pattern."""
    for index in range(len(node.patterns)):
        left = [item for number, item in enumerate(node.patterns) if number != index]
        left[-1] = left[-1].with_changes(separator=cst.MaybeSentinel.DEFAULT)
        yield node, left[0].pattern if len(left) == 1 else node.with_changes(patterns=left)


def _comparisons(node: cst.Comparison) -> Iterator[_Pair]:
    """Turn each comparison, and leave out each member of a written tuple that something is looked for in."""
    for target in node.comparisons:
        yield node, node.with_deep_changes(target, operator=_COMPARISONS[type(target.operator)])
        among = target.comparator
        if isinstance(among, cst.Tuple | cst.Set) and isinstance(target.operator, cst.In | cst.NotIn):
            for index in range(len(among.elements) if len(among.elements) > 1 else 0):
                left = [item for number, item in enumerate(among.elements) if number != index]
                left[-1] = left[-1].with_changes(comma=cst.Comma())
                yield node, node.with_deep_changes(among, elements=left)


def _is_written_out(node: cst.BaseExpression) -> bool:
    """Tell whether an operand is a value and no condition: what `or` gives in place of what is missing."""
    return isinstance(node, _VALUES) or (isinstance(node, cst.Name) and node.value == "None")


def _negated(node: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        return _bracketed(node.expression)
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        target = node.comparisons[0]
        opposite = _OPPOSITES.get(type(target.operator), _COMPARISONS[type(target.operator)])
        return node.with_changes(comparisons=[target.with_changes(operator=opposite)])
    inner = _bracketed(node)
    return cst.UnaryOperation(cst.Not(), inner, lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _bracketed(node: cst.BaseExpression) -> cst.BaseExpression:
    """Put brackets round an expression that could read otherwise in another place."""
    if node.lpar or isinstance(node, _VALUES | cst.Name | cst.Attribute | cst.Call | cst.Subscript):
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _one_line(code: str) -> str:
    return " ".join(code.split())
