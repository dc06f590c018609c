"""What the recognisers for Python share: a tool out of a function and the options it is registered with."""

from dataclasses import dataclass, replace

from mcp_check_core.model.json_value import Json
from mcp_doctor.facts.tool_decl import NO_TEXT, UNKNOWN_TEXT, Parameter, Text, ToolDecl, Unresolved
from mcp_doctor.python.parameters import Signature, docstring_of, model_parameters, signature_of
from mcp_doctor.python.scan import PythonScan
from mcp_doctor.syntax.found import Found, FoundTool
from mcp_doctor.syntax.json_schema import schema_parameters
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
    as_json,
    as_string,
    as_text,
    dotted,
)

LANGUAGE = "python"
OWN = "own definition"
"""The idiom of what a project registers by means of its own; what it does with parameters is not known."""
OTHER_FRAMEWORKS = frozenset(
    {
        "langchain", "langchain_core", "langgraph", "pydantic_ai", "smolagents", "agents", "autogen",
        "crewai",
        "strands", "agno", "google", "llama_index", "openai", "haystack", "semantic_kernel", "camel", "dspy",
    }
)  # fmt: skip
"""Packages whose `tool` is not one of MCP."""
_SERVERS = {"fastmcp": "fastmcp", "mcp": "mcp", "mcp_types": "mcp"}
_MODEL_SCHEMAS = ("model_json_schema", "schema", "json_schema")


@dataclass(frozen=True, slots=True)
class Idiom:
    """How a tool was found: the framework's owner and the idiom."""

    framework: str
    found_by: str


def framework_of(value: Value) -> str:
    """Name the framework that a server object, or a decorator of one, comes from."""
    while isinstance(value, Call | Member):
        value = value.callee if isinstance(value, Call) else value.base
    root = dotted(value).partition(".")[0] if isinstance(value, External) else ""
    return _SERVERS.get(root, "unknown")


def is_foreign(value: Value) -> bool:
    """Tell whether a value comes from a framework whose tools are no MCP tools."""
    while isinstance(value, Call | Member):
        value = value.callee if isinstance(value, Call) else value.base
    return isinstance(value, External) and value.name.partition(".")[0] in OTHER_FRAMEWORKS


def from_function(
    scan: PythonScan, function: Site, options: Call | None, idiom: Idiom, server: Value | None = None
) -> Found:
    """Make a tool of a function; `options` is the call that registers it, if there is one."""
    given = None if options is None else _given_name(options, function)
    name = text(field(function.node, "name")) if given is None else as_string(given)
    if given is not None and name is None:
        return unresolved(given, function if options is None else options.site, idiom)
    described = as_text(options.keyword("description")) if options is not None else NO_TEXT
    docstring = docstring_of(function.node)
    left_out = _names(options.keyword("exclude_args")) if options is not None else frozenset()
    signature = signature_of(
        scan.evaluator, function.module, function.node, description=described, left_out=left_out
    )
    if idiom.found_by == OWN or _is_changed(scan, function):
        signature = Signature(tuple(map(_unsure, signature.parameters)), complete=False)
    description = docstring if described.missing or not (described.known or docstring.missing) else described
    place = function.place
    tool = ToolDecl(
        name=name or "lambda",
        place=place,
        language=LANGUAGE,
        framework=idiom.framework,
        found_by=idiom.found_by,
        title=as_string(options.keyword("title")) if options is not None else None,
        description=description,
        parameters=signature.parameters,
        complete=signature.complete,
        annotations=annotations(options.keyword("annotations")) if options is not None else {},
        handler=place,
        unresolved=_lacking(signature, description),
    )
    return FoundTool(tool, function, server.site.place if server is not None else None)


def from_schema(
    scan: PythonScan,
    name: Value | None,
    described: Text,
    schema: Value | None,
    site: Site,
    idiom: Idiom,
    more: Call | Fields | None = None,
) -> Found:
    """Make a tool of a name, a description and a schema that stand as values."""
    known = as_string(name)
    if known is None:
        return unresolved(name, site, idiom)
    signature = _of_schema(scan, schema)
    get = (
        more.keyword if isinstance(more, Call) else more.get if isinstance(more, Fields) else (lambda _: None)
    )
    tool = ToolDecl(
        name=known,
        place=site.place,
        language=LANGUAGE,
        framework=idiom.framework,
        found_by=idiom.found_by,
        title=as_string(get("title")),
        description=described,
        parameters=signature.parameters,
        complete=signature.complete,
        annotations=annotations(get("annotations")),
        unresolved=_lacking(signature, described),
    )
    return FoundTool(tool)


def _lacking(signature: Signature, description: Text) -> tuple[str, ...]:
    lacking = [] if signature.complete else ["parameters"]
    return (*lacking, *([] if description.known else ["description"]))


def _is_changed(scan: PythonScan, function: Site) -> bool:
    """Tell whether a decorator of the repository gives the function another signature."""
    around = function.node.parent
    decorators = around.named_children if around is not None and around.type == "decorated_definition" else []
    for decorator in decorators:
        inner = decorator.named_children[0] if decorator.type == "decorator" else None
        if inner is None:
            continue
        value = scan.evaluator.value(function.module, field(inner, "function") or inner)
        if isinstance(value, Definition) and b"__signature__" in (value.site.node.text or b""):
            return True
    return False


def _unsure(parameter: Parameter) -> Parameter:
    """Take back that nothing describes a parameter which clients may never see."""
    return replace(parameter, description=UNKNOWN_TEXT) if parameter.description.missing else parameter


def unresolved(name: Value | None, site: Site, idiom: Idiom) -> Unresolved:
    """Say why the name of a registration is not known."""
    match name:
        case None:
            reason = "it is given no name that stands in the source"
        case Unknown(reason=why):
            reason = f"its name is made at run time: {why}"
        case Partial(known):
            reason = f"its name is made at run time, from {known[:60]!r}"
        case Free(variable):
            reason = f"its name is the value of {variable} at run time"
        case _:
            reason = f"its name is made at run time: {dotted(name)[:60] or 'an expression'}"
    return Unresolved(site.place, LANGUAGE, idiom.found_by, reason)


def annotations(value: Value | None) -> dict[str, Json]:
    """Read annotations given as an object, or as a call of `ToolAnnotations`."""
    if isinstance(value, Call):
        known = {name: as_json(member) for name, member in value.keywords}
    else:
        found = as_json(value)
        known = found if isinstance(found, dict) else {}
    return {_camel(name): member for name, member in known.items() if member is not None}


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.title() for part in rest)


def _given_name(options: Call, function: Site) -> Value | None:
    given = options.keyword("name")
    if given is None and options.args:
        first = options.args[0]
        if not isinstance(first, Definition) and first.site.node != function.node:
            given = first
    if isinstance(given, Constant) and given.value is None:
        return None
    return given


def _names(value: Value | None) -> frozenset[str]:
    items = value.items if isinstance(value, Items) else ()
    return frozenset(name for name in map(as_string, items) if name is not None)


def _of_schema(scan: PythonScan, schema: Value | None) -> Signature:
    """Read a schema: a literal, or the one that a model class makes of itself."""
    callee = schema.callee if isinstance(schema, Call) else None
    model = callee.base if isinstance(callee, Member) and callee.name in _MODEL_SCHEMAS else None
    if isinstance(model, Definition):
        return model_parameters(scan.evaluator, model)
    parameters, complete = schema_parameters(schema)
    return Signature(parameters, complete)
