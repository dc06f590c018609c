"""Which names a scope of a JavaScript or TypeScript module binds, and to what."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import ancestors, field, text

if TYPE_CHECKING:
    from tree_sitter import Node

FUNCTIONS = frozenset(
    {
        "function_declaration", "function_expression", "arrow_function", "method_definition",
        "generator_function_declaration", "generator_function",
    }
)  # fmt: skip
SCOPES = FUNCTIONS | {
    "program",
    "statement_block",
    "for_in_statement",
    "for_statement",
    "catch_clause",
    "switch_body",
}
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})
_DECLARED = frozenset({"lexical_declaration", "variable_declaration"})


class Kind(Enum):
    """How a name is bound."""

    VALUE = auto()
    IMPORT = auto()
    DEFINITION = auto()
    CLASS = auto()
    ENUM = auto()
    PARAMETER = auto()
    LOOP = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Binding:
    """One binding. `node` is the value, definition, parameter or iterable.

    `source` is the specifier of an import; `member` the name in it (`*` for all of it), or the property that
    a destructuring takes of the value.
    """

    kind: Kind
    node: "Node"
    source: str = ""
    member: str = ""


Bindings = dict[str, list[Binding]]


def bindings(module: Module, scope: "Node") -> Bindings:
    """Give the names that a scope binds itself."""
    key = ("bindings", scope.id)
    if key not in module.memory:
        module.memory[key] = _bindings(scope)
    known: Bindings = module.memory[key]
    return known


def scopes_of(node: "Node") -> list["Node"]:
    """Give the scopes around a node, innermost first."""
    return [above for above in ancestors(node) if above.type in SCOPES]


def module_string(node: "Node | None") -> str:
    """Give the text of a plain string literal."""
    return text(node)[1:-1] if node is not None and node.type == "string" else ""


def _bindings(scope: "Node") -> Bindings:
    found: Bindings = {}
    if scope.type in FUNCTIONS:
        _parameters(scope, found)
        return found
    if scope.type == "for_in_statement":
        left, right = field(scope, "left"), field(scope, "right")
        if left is not None and right is not None:
            _pattern(left, Binding(Kind.LOOP, right), found)
        return found
    for node in scope.named_children:
        if node.type in ("switch_case", "switch_default"):
            for child in node.named_children:
                _statement(child, found)
        else:
            _statement(node, found)
    return found


def _statement(node: "Node", found: Bindings) -> None:
    match node.type:
        case "lexical_declaration" | "variable_declaration":
            for child in node.named_children:
                _declarator(child, found)
        case "export_statement":
            declaration = field(node, "declaration")
            if declaration is not None:
                _statement(declaration, found)
        case "import_statement":
            _import(node, found)
        case "function_declaration" | "generator_function_declaration":
            _add(found, text(field(node, "name")), Binding(Kind.DEFINITION, node))
        case "enum_declaration":
            _add(found, text(field(node, "name")), Binding(Kind.ENUM, node))
        case "expression_statement":
            _expression(node, found)
        case kind if kind in _CLASSES:
            _add(found, text(field(node, "name")), Binding(Kind.CLASS, node))


def _declarator(node: "Node", found: Bindings) -> None:
    name, value = field(node, "name"), field(node, "value")
    if node.type != "variable_declarator" or name is None:
        return
    if value is None:
        _add(found, text(name), Binding(Kind.OTHER, node))
        return
    required = _required(value)
    if name.type == "identifier":
        kind = Binding(Kind.VALUE, value) if not required else Binding(Kind.IMPORT, value, required, "*")
        _add(found, text(name), kind)
    else:
        one = Binding(Kind.IMPORT, value, required) if required else Binding(Kind.VALUE, value)
        _pattern(name, one, found)


def _required(value: "Node") -> str:
    """Give the specifier of `require("…")`, also inside the helpers that compilers put around it."""
    for _ in range(4):
        if value.type == "await_expression" and value.named_children:
            value = value.named_children[0]
            continue
        if value.type != "call_expression":
            return ""
        arguments = field(value, "arguments")
        first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        callee = text(field(value, "function"))
        if callee in ("require", "import"):
            return module_string(first)
        if not callee.startswith(("__import", "_interop", "__toESM", "tslib")) or first is None:
            return ""
        value = first
    return ""


def _pattern(pattern: "Node", binding: Binding, found: Bindings) -> None:
    """Bind the names of a destructuring, each with the property that it takes."""
    if pattern.type in ("identifier", "shorthand_property_identifier_pattern"):
        _add(found, text(pattern), binding)
    elif pattern.type == "object_pattern":
        for child in pattern.named_children:
            _object_part(child, binding, found)
    elif pattern.type == "array_pattern":
        for number, child in enumerate(pattern.named_children):
            _pattern(child, Binding(binding.kind, binding.node, binding.source, str(number)), found)
    elif pattern.type in _DECLARED and pattern.named_children:
        name = field(pattern.named_children[0], "name")
        if name is not None:
            _pattern(name, binding, found)


def _object_part(child: "Node", binding: Binding, found: Bindings) -> None:
    if child.type == "shorthand_property_identifier_pattern":
        _add(found, text(child), Binding(binding.kind, binding.node, binding.source, text(child)))
    elif child.type == "pair_pattern":
        key, value = field(child, "key"), field(child, "value")
        if value is not None:
            _pattern(
                value, Binding(binding.kind, binding.node, binding.source, text(key).strip("\"'")), found
            )
    elif child.type == "object_assignment_pattern":
        left = field(child, "left")
        if left is not None:
            _add(found, text(left), Binding(binding.kind, binding.node, binding.source, text(left)))


def _import(node: "Node", found: Bindings) -> None:
    source = module_string(field(node, "source"))
    for clause in node.named_children:
        if clause.type != "import_clause":
            continue
        for child in clause.named_children:
            if child.type == "identifier":
                _add(found, text(child), Binding(Kind.IMPORT, child, source, "default"))
            elif child.type == "namespace_import" and child.named_children:
                _add(found, text(child.named_children[0]), Binding(Kind.IMPORT, child, source, "*"))
            elif child.type == "named_imports":
                for one in child.named_children:
                    name = text(field(one, "name")).strip("\"'")
                    alias = text(field(one, "alias")) or name
                    _add(found, alias, Binding(Kind.IMPORT, one, source, name))


def _parameters(scope: "Node", found: Bindings) -> None:
    single = field(scope, "parameter")
    parameters = field(scope, "parameters")
    nodes = [single] if single is not None else parameters.named_children if parameters is not None else []
    for node in nodes:
        pattern = field(node, "pattern") or field(node, "left") or node
        _pattern(pattern, Binding(Kind.PARAMETER, node), found)
    name = field(scope, "name")
    if scope.type == "function_expression" and name is not None and text(name) not in found:
        _add(found, text(name), Binding(Kind.DEFINITION, scope))


def _expression(node: "Node", found: Bindings) -> None:
    """Bind what is assigned to a bare name, and enumerations as TypeScript compiles them."""
    inner = node.named_children[0] if node.named_children else None
    if inner is None:
        return
    if inner.type == "assignment_expression":
        left, right = field(inner, "left"), field(inner, "right")
        if left is not None and right is not None and left.type == "identifier":
            _add(found, text(left), Binding(Kind.VALUE, right))
    elif inner.type == "call_expression":
        argument = field(inner, "arguments")
        first = argument.named_children[0] if argument is not None and argument.named_children else None
        if first is not None and first.type == "binary_expression" and text(field(first, "operator")) == "||":
            name = text(field(first, "left")).rpartition(".")[2]
            _add(found, name, Binding(Kind.ENUM, inner))


def _add(found: Bindings, name: str, binding: Binding) -> None:
    found.setdefault(name, []).append(binding)
