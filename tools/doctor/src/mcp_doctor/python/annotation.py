"""Type annotations: whether null is allowed, and what `Annotated` adds."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_doctor.python.bindings import Kind, bindings
from mcp_doctor.python.evaluate import PythonEvaluator
from mcp_doctor.syntax.grammars import parse
from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import field, text
from mcp_doctor.syntax.values import Definition, External, Free, Site, Value, dotted

if TYPE_CHECKING:
    from tree_sitter import Node

_DEEPEST = 12
_NULLABLE = frozenset({"Any", "object", "None", "NoneType", "Optional", "JsonValue", "Json"})
_PLAIN = frozenset(
    {
        "str", "int", "float", "bool", "bytes", "complex", "list", "dict", "tuple", "set", "frozenset",
        "List", "Dict", "Tuple", "Set", "FrozenSet", "Sequence", "Mapping", "Iterable", "Collection",
        "MutableMapping", "Type", "type", "datetime", "date", "time", "timedelta", "Decimal", "UUID", "Path",
        "HttpUrl", "AnyUrl", "AnyHttpUrl", "EmailStr", "SecretStr", "PositiveInt", "NonNegativeInt",
        "PositiveFloat", "NonNegativeFloat", "StrictStr", "StrictInt", "StrictBool", "StrictFloat",
        "FilePath",
        "DirectoryPath", "LiteralString", "OrderedDict", "defaultdict", "Number", "conint", "constr",
    }
)  # fmt: skip
_WRAPPERS = frozenset(
    {"Annotated", "Required", "NotRequired", "Final", "ClassVar", "ReadOnly", "SkipJsonSchema"}
)


@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotation as written, whether it allows null (None: cannot tell), and the metadata of `Annotated`.

    `model` is a class of the repository that it names, `qualified` the dotted name of anything else.
    """

    text: str
    nullable: bool | None
    metadata: tuple[Value, ...] = ()
    model: Definition | None = None
    qualified: str = ""


def read_annotation(evaluator: PythonEvaluator, module: Module, node: "Node") -> Annotation:
    """Read an annotation, following aliases and text annotations."""
    return _read(evaluator, module, node, node, 0)


def _read(evaluator: PythonEvaluator, module: Module, node: "Node", at: "Node", depth: int) -> Annotation:
    written = " ".join(text(node).split())
    if depth > _DEEPEST:
        return Annotation(written, None)
    inner = _unwrapped(node)
    match inner.type:
        case "string":
            parsed = _quoted(inner)
            return (
                Annotation(written, None)
                if parsed is None
                else _read(evaluator, module, parsed, at, depth + 1)
            )
        case "none":
            return Annotation(written, nullable=True)
        case "binary_operator" | "union_type":
            sides = list(inner.named_children)
            return _union(written, [_read(evaluator, module, side, at, depth + 1) for side in sides])
        case "generic_type" | "subscript":
            return _generic(evaluator, module, inner, at, depth)
        case "identifier" | "attribute" | "member_type":
            return _named(evaluator, module, inner, at, depth)
    return Annotation(written, None)


def _unwrapped(node: "Node") -> "Node":
    while node.type in ("type", "parenthesized_expression") and len(node.named_children) == 1:
        node = node.named_children[0]
    return node


def _quoted(node: "Node") -> "Node | None":
    content = text(node).strip("\"'")
    root = parse("python", content.encode())
    if root.has_error or not root.named_children:
        return None
    statement = root.named_children[0]
    return (
        statement.named_children[0]
        if statement.type == "expression_statement" and statement.named_children
        else None
    )


def _union(written: str, sides: list[Annotation]) -> Annotation:
    known = [side.nullable for side in sides]
    nullable = True if True in known else (None if None in known else False)
    metadata = tuple(one for side in sides for one in side.metadata)
    model = next((side.model for side in sides if side.model is not None), None)
    qualified = next((side.qualified for side in sides if side.qualified not in ("", "None")), "")
    return Annotation(written, nullable, metadata, model, qualified)


def _generic(evaluator: PythonEvaluator, module: Module, node: "Node", at: "Node", depth: int) -> Annotation:
    written = " ".join(text(node).split())
    head, arguments = _parts(node)
    name = text(head).rpartition(".")[2]
    if name in _WRAPPERS and arguments:
        first = _read(evaluator, module, arguments[0], at, depth + 1)
        metadata = tuple(evaluator.value(module, _unwrapped(one)) for one in arguments[1:])
        return Annotation(written, first.nullable, (*first.metadata, *metadata), first.model, first.qualified)
    if name == "Optional":
        first = _read(evaluator, module, arguments[0], at, depth + 1) if arguments else Annotation("", None)
        return Annotation(written, True, first.metadata, first.model, first.qualified)
    if name == "Union":
        return _union(written, [_read(evaluator, module, one, at, depth + 1) for one in arguments])
    if name == "Literal":
        return Annotation(written, any(_unwrapped(one).type == "none" for one in arguments))
    return Annotation(written, False if name in _PLAIN else None)


def _parts(node: "Node") -> tuple["Node", list["Node"]]:
    if node.type == "subscript":
        value = field(node, "value")
        return value if value is not None else node, node.children_by_field_name("subscript")
    head = node.named_children[0]
    parameters = node.named_children[1].named_children if len(node.named_children) > 1 else []
    return head, list(parameters)


def _named(evaluator: PythonEvaluator, module: Module, node: "Node", at: "Node", depth: int) -> Annotation:
    written = text(node)
    alias = _alias(evaluator, module, node)
    if alias is not None:
        found = _read(evaluator, alias.module, alias.node, alias.node, depth + 1)
        return Annotation(written, found.nullable, found.metadata, found.model, found.qualified)
    value = (
        evaluator.name(module, written, at) if node.type == "identifier" else evaluator.value(module, node)
    )
    if isinstance(value, Definition):
        return Annotation(written, False if value.is_class else None, (), value if value.is_class else None)
    short = written.rpartition(".")[2]
    qualified = dotted(value)
    if short in _NULLABLE:
        return Annotation(written, True, (), None, qualified)
    known = isinstance(value, External | Free) and short in _PLAIN
    return Annotation(written, False if known else None, (), None, qualified)


def _alias(evaluator: PythonEvaluator, module: Module, node: "Node") -> Site | None:
    """Find what an alias such as `Limit = Annotated[int, …]` stands for."""
    if node.type != "identifier":
        return None
    name, where = text(node), module
    for _ in range(_DEEPEST):
        found = bindings(where, where.root).get(name, [])
        if len(found) != 1:
            return None
        one = found[0]
        if one.kind is Kind.VALUE and one.node.type in (
            "subscript",
            "binary_operator",
            "type",
            "generic_type",
            "identifier",
        ):
            return Site(where, one.node)
        source = evaluator.repository.find(one.source, where) if one.kind is Kind.MEMBER else None
        if source is None:
            return None
        where, name = source, one.member
    return None
