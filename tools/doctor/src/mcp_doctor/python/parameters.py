"""Parameters of tools: from the signature of a function, the fields of a model, or a JSON Schema."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from inspect import cleandoc
from typing import TYPE_CHECKING

from mcp_doctor.facts.tool_decl import NO_TEXT, Default, Parameter, Text
from mcp_doctor.python.annotation import Annotation, read_annotation
from mcp_doctor.python.classes import base_names, statements
from mcp_doctor.python.docstring import described_parameters
from mcp_doctor.python.evaluate import PythonEvaluator
from mcp_doctor.syntax.module import Module
from mcp_doctor.syntax.nodes import field, place, text
from mcp_doctor.syntax.values import (
    Call,
    Constant,
    Definition,
    Site,
    Value,
    as_json,
    as_string,
    as_text,
    dotted,
    is_known,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_INJECTED = frozenset({"Context", "RequestContext", "ServerSession", "Request", "ServerRequestContext"})
_INJECTING = frozenset({"Depends", "CurrentContext", "CurrentFastMCP", "CurrentRequest", "Resolve"})
_FIELD = frozenset({"Field", "field", "Parameter", "Query", "Body"})
_MODELS = frozenset({"BaseModel", "TypedDict", "RootModel", "SQLModel", "BaseSettings", "Struct"})
_DEEPEST_MODEL = 3


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a tool; not `complete` where some could not be read."""

    parameters: tuple[Parameter, ...]
    complete: bool = True


def docstring_of(function: "Node") -> Text:
    """Give the docstring of a function or class, cleaned."""
    first = next((node for node in statements(function) if node.type != "comment"), None)
    if first is None or first.type != "expression_statement" or not first.named_children:
        return NO_TEXT
    string = first.named_children[0]
    if string.type not in ("string", "concatenated_string") or any(
        child.type == "interpolation" for child in string.children
    ):
        return NO_TEXT
    pieces = [text(child) for child in string.named_children if child.type == "string_content"]
    if string.type == "concatenated_string":
        pieces = [text(child).strip("\"'") for child in string.named_children]
    return Text(cleandoc("".join(pieces)))


def signature_of(
    evaluator: PythonEvaluator,
    module: Module,
    function: "Node",
    *,
    description: Text = NO_TEXT,
    left_out: frozenset[str] = frozenset(),
) -> Signature:
    """Read the parameters that a client sees of a function; `description` may tell of them too."""
    said = described_parameters("\n".join(filter(None, (docstring_of(function).value,))))
    if description.value:
        said = {**described_parameters(description.value), **said}
    nodes = field(function, "parameters")
    found: list[Parameter] = []
    for number, node in enumerate(nodes.named_children if nodes is not None else ()):
        if number == 0 and text(node) in ("self", "cls"):
            continue
        found += [
            _described(parameter, said)
            for parameter in _of_node(evaluator, module, node)
            if parameter.name.partition(".")[0] not in left_out
        ]
    return Signature(tuple(found))


def model_parameters(evaluator: PythonEvaluator, model: Definition) -> Signature:
    """Read the fields of a model class as the parameters of a tool."""
    return Signature(tuple(_fields(evaluator, model, "", 0)))


def _described(parameter: Parameter, said: Mapping[str, str]) -> Parameter:
    if not parameter.description.missing:
        return parameter
    name = parameter.name.rpartition(".")[2]
    known = said.get(parameter.name) or said.get(name)
    return replace(parameter, description=Text(known)) if known else parameter


def _of_node(evaluator: PythonEvaluator, module: Module, node: "Node") -> Iterator[Parameter]:
    at = place(module.path, node)
    if node.type in ("list_splat_pattern", "dictionary_splat_pattern"):
        yield Parameter(text(node), at, required=False, variadic=True)
        return
    first = node.named_children[0] if node.named_children else None
    name_node = node if node.type == "identifier" else field(node, "name") or first
    if node.type not in ("identifier", "typed_parameter", "default_parameter", "typed_default_parameter"):
        return
    if name_node is not None and name_node.type in ("list_splat_pattern", "dictionary_splat_pattern"):
        yield Parameter(text(name_node), at, required=False, variadic=True)
        return
    yield from _parameter(evaluator, module, text(name_node), node)


def _parameter(evaluator: PythonEvaluator, module: Module, name: str, node: "Node") -> Iterator[Parameter]:
    type_node, default_node = field(node, "type"), field(node, "value")
    annotation = read_annotation(evaluator, module, type_node) if type_node is not None else None
    default = evaluator.value(module, default_node) if default_node is not None else None
    if _is_injected(annotation, default):
        return
    parameter = _made(Site(module, node), name, annotation, default)
    model = annotation.model if annotation is not None else None
    if model is not None and _is_model(evaluator, model, 0):
        inner = tuple(_fields(evaluator, model, f"{name}.", 0))
        told = docstring_of(model.site.node)
        if parameter.description.missing and (
            not told.missing or (inner and not any(one.description.missing for one in inner))
        ):
            parameter = replace(
                parameter, description=told if not told.missing else Text("its members are described")
            )
        yield parameter
        yield from inner
        return
    yield parameter


def _is_injected(annotation: Annotation | None, default: Value | None) -> bool:
    if isinstance(default, Call) and dotted(default.callee).rpartition(".")[2] in _INJECTING:
        return True
    if annotation is None:
        return False
    head = annotation.text.partition("[")[0].strip("\"' ").rpartition(".")[2]
    named = {head, annotation.qualified.rpartition(".")[2]}
    if annotation.text.startswith(("Optional[", "Annotated[")) or "|" in annotation.text:
        named |= {
            annotation.text.removeprefix("Optional[").rstrip("]").partition("[")[0].partition("|")[0].strip()
        }
    injecting = any(
        isinstance(one, Call) and dotted(one.callee).rpartition(".")[2] in _INJECTING
        for one in annotation.metadata
    )
    return injecting or bool(named & _INJECTED)


def _made(site: Site, name: str, annotation: Annotation | None, default: Value | None) -> Parameter:
    """Join what annotation, `Field` and default say of one parameter or field."""
    metadata = list(annotation.metadata) if annotation is not None else []
    described = _metadata_text(metadata)
    shown: Default | None = None
    if default is not None and _is_field(default):
        described = _field_text(default) if described.missing else described
        shown = _field_default(default)
    elif default is not None:
        shown = Default(as_json(default), is_known(default))
    else:
        shown = next((found for one in metadata if _is_field(one) and (found := _field_default(one))), None)
    alias = next(
        (
            as_string(one.keyword("alias", "validation_alias"))
            for one in (*metadata, default)
            if isinstance(one, Call)
        ),
        None,
    )
    return Parameter(
        name=alias or name,
        place=site.place,
        type=annotation.text if annotation is not None else None,
        required=shown is None,
        default=shown,
        nullable=True if annotation is None else annotation.nullable,
        description=described,
    )


def _is_field(value: Value | None) -> bool:
    return isinstance(value, Call) and dotted(value.callee).rpartition(".")[2] in _FIELD


def _metadata_text(metadata: list[Value]) -> Text:
    for one in metadata:
        if _is_field(one):
            found = _field_text(one)
            if not found.missing:
                return found
        if isinstance(one, Call) and dotted(one.callee).rpartition(".")[2] == "Doc" and one.args:
            return as_text(one.args[0])
        if as_string(one) is not None:
            return as_text(one)
    return NO_TEXT


def _field_text(value: Value | None) -> Text:
    return as_text(value.keyword("description", "title")) if isinstance(value, Call) else NO_TEXT


def _field_default(value: Value) -> Default | None:
    """Give the default that a `Field` states; None where it states none, or an ellipsis."""
    if not isinstance(value, Call):
        return None
    if value.keyword("default_factory") is not None:
        return Default(known=False)
    given = value.keyword("default")
    if given is None and value.args:
        given = value.args[0]
    if given is None or text(given.site.node) == "...":
        return None
    return Default(as_json(given), is_known(given))


def _is_model(evaluator: PythonEvaluator, model: Definition, depth: int) -> bool:
    if any(
        text(node).endswith("dataclass") or ".dataclass(" in text(node) or "dataclass(" in text(node)
        for node in _decorators(model.site.node)
    ):
        return True
    for name in base_names(model.site.node):
        if name.rpartition(".")[2].partition("[")[0] in _MODELS:
            return True
    return depth < _DEEPEST_MODEL and any(
        _is_model(evaluator, base, depth + 1) for base in _bases(evaluator, model)
    )


def _decorators(node: "Node") -> list["Node"]:
    above = node.parent
    if above is None or above.type != "decorated_definition":
        return []
    return [child for child in above.named_children if child.type == "decorator"]


def _bases(evaluator: PythonEvaluator, model: Definition) -> Iterator[Definition]:
    for name in base_names(model.site.node):
        value = evaluator.name(model.site.module, name, model.site.node)
        if isinstance(value, Definition) and value.is_class:
            yield value


def _fields(evaluator: PythonEvaluator, model: Definition, prefix: str, depth: int) -> Iterator[Parameter]:
    if depth > _DEEPEST_MODEL:
        return
    module, own = model.site.module, {}
    said = described_parameters(docstring_of(model.site.node).value or "")
    for statement in statements(model.site.node):
        node = (
            next(iter(statement.named_children), None) if statement.type == "expression_statement" else None
        )
        type_node = field(node, "type") if node is not None and node.type == "assignment" else None
        if node is None or type_node is None or text(field(node, "left")).startswith(("_", "model_config")):
            continue
        if text(type_node).startswith("ClassVar"):
            continue
        name = text(field(node, "left"))
        right = field(node, "right")
        annotation = read_annotation(evaluator, module, type_node)
        made = _made(
            Site(module, node),
            name,
            annotation,
            evaluator.value(module, right) if right is not None else None,
        )
        own[name] = _described(replace(made, name=f"{prefix}{made.name}"), said)
    for base in _bases(evaluator, model):
        for inherited in _fields(evaluator, base, prefix, depth + 1):
            if inherited.name.removeprefix(prefix) not in own:
                yield inherited
    yield from own.values()


def is_constant_none(value: Value | None) -> bool:
    """Tell whether a value is None."""
    return isinstance(value, Constant) and value.value is None
