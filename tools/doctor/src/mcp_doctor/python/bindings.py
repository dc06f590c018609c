"""Which names a scope of a Python module binds, and to what."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import ancestors, field, text

if TYPE_CHECKING:
    from tree_sitter import Node

SCOPES = frozenset({"module", "function_definition", "class_definition", "lambda"})
_COMPREHENSIONS = frozenset(
    {"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"}
)
_BLOCKS = frozenset(
    {
        "block", "if_statement", "elif_clause", "else_clause", "try_statement", "except_clause",
        "finally_clause", "with_statement", "for_statement", "while_statement", "match_statement",
        "case_clause", "except_group_clause",
    }
)  # fmt: skip


class Kind(Enum):
    """How a name is bound."""

    VALUE = auto()
    MODULE = auto()
    MEMBER = auto()
    STAR = auto()
    DEFINITION = auto()
    PARAMETER = auto()
    LOOP = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Binding:
    """One binding. `node` is the value, the definition, the parameter or the iterable of a loop.

    For an import `source` is the module as written (leading dots included) and `member` the name in it.
    """

    kind: Kind
    node: "Node"
    source: str = ""
    member: str = ""


Bindings = dict[str, list[Binding]]


def bindings(module: Module, scope: "Node") -> Bindings:
    """Give the names that a scope binds itself, without those of the scopes within it."""
    key = ("bindings", scope.id)
    if key not in module.memory:
        module.memory[key] = _bindings(scope)
    known: Bindings = module.memory[key]
    return known


def scopes_of(node: "Node") -> list["Node"]:
    """Give the scopes around a node, innermost first; a class is one only for what stands right in it."""
    found: list[Node] = []
    inner = node
    for above in ancestors(node):
        if above.type in SCOPES or above.type in _COMPREHENSIONS:
            in_head = above.type != "module" and inner.type in ("parameters", "type", "argument_list")
            crosses = above.type == "class_definition" and any(one.type in SCOPES for one in found)
            if not (in_head or crosses):
                found.append(above)
        inner = above
    return found


def chosen(found: Sequence[Binding]) -> Binding | None:
    """Choose the binding that counts; None where values contradict each other."""
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


def _bindings(scope: "Node") -> Bindings:
    found: Bindings = {}
    if scope.type in _COMPREHENSIONS:
        _comprehension(scope, found)
        return found
    _parameters(field(scope, "parameters"), found)
    body = scope if scope.type == "module" else field(scope, "body")
    pending = list(reversed(body.named_children)) if body is not None else []
    while pending:
        node = pending.pop()
        if node.type in _BLOCKS:
            _loop(node, found)
            pending.extend(reversed(node.named_children))
        else:
            _statement(node, found)
    return found


def _statement(node: "Node", found: Bindings) -> None:
    match node.type:
        case "expression_statement":
            for child in node.named_children:
                _assignment(child, found)
        case "decorated_definition" | "function_definition" | "class_definition":
            definition = field(node, "definition") or node
            _add(found, text(field(definition, "name")), Binding(Kind.DEFINITION, definition))
        case "import_statement":
            _import(node, found)
        case "import_from_statement":
            _import_from(node, found)
        case "with_clause":
            for item in node.named_children:
                _with_item(item, found)
        case "type_alias_statement":
            left, right = field(node, "left"), field(node, "right")
            if right is not None:
                _add(found, text(left), Binding(Kind.VALUE, right))


def _assignment(node: "Node", found: Bindings) -> None:
    if node.type == "augmented_assignment":
        _add(found, text(field(node, "left")), Binding(Kind.OTHER, node))
        return
    if node.type != "assignment":
        return
    left, right = field(node, "left"), field(node, "right")
    if left is None or right is None:
        return
    if left.type == "identifier":
        _add(found, text(left), Binding(Kind.VALUE, right))
        if right.type == "assignment":
            _assignment(right, found)
    elif left.type in ("pattern_list", "tuple_pattern"):
        values = right.named_children if right.type in ("expression_list", "tuple") else []
        for number, target in enumerate(left.named_children):
            same = len(values) == len(left.named_children)
            kind = Kind.VALUE if same else Kind.OTHER
            _add(found, text(target), Binding(kind, values[number] if same else right))


def _import(node: "Node", found: Bindings) -> None:
    for child in node.named_children:
        if child.type == "dotted_name":
            name = text(child)
            _add(found, name.partition(".")[0], Binding(Kind.MODULE, child, name.partition(".")[0]))
        elif child.type == "aliased_import":
            source = text(field(child, "name"))
            _add(found, text(field(child, "alias")), Binding(Kind.MODULE, child, source))


def _import_from(node: "Node", found: Bindings) -> None:
    head = field(node, "module_name")
    source = text(head).replace(" ", "")
    for child in node.children_by_field_name("name"):
        member = child if child.type == "dotted_name" else field(child, "name")
        alias = child if child.type == "dotted_name" else field(child, "alias")
        _add(found, text(alias), Binding(Kind.MEMBER, child, source, text(member)))
    if any(child.type == "wildcard_import" for child in node.named_children):
        _add(found, "*", Binding(Kind.STAR, node, source))


def _with_item(item: "Node", found: Bindings) -> None:
    value = field(item, "value")
    if value is None or value.type != "as_pattern":
        return
    target = field(value, "alias")
    if target is not None and value.named_children:
        _add(found, text(target), Binding(Kind.OTHER, value.named_children[0]))


def _loop(node: "Node", found: Bindings) -> None:
    if node.type == "for_statement":
        _loop_target(node, found)


def _comprehension(node: "Node", found: Bindings) -> None:
    for clause in node.named_children:
        if clause.type == "for_in_clause":
            _loop_target(clause, found)


def _loop_target(node: "Node", found: Bindings) -> None:
    left, right = field(node, "left"), field(node, "right")
    if left is None or right is None:
        return
    targets = [left] if left.type == "identifier" else left.named_children
    for number, target in enumerate(targets):
        member = "" if left.type == "identifier" else str(number)
        _add(found, text(target), Binding(Kind.LOOP, right, member=member))


def _parameters(node: "Node | None", found: Bindings) -> None:
    for child in node.named_children if node is not None else ():
        name = child if child.type == "identifier" else field(child, "name")
        if name is None and child.named_children:
            name = child.named_children[0]
        if name is not None:
            _add(found, text(name), Binding(Kind.PARAMETER, child))


def _add(found: Bindings, name: str, binding: Binding) -> None:
    found.setdefault(name, []).append(binding)
