"""What the recognisers for JavaScript and TypeScript share: a tool out of values."""

from dataclasses import dataclass

from mcp_check_core.model.json_value import Json
from mcp_doctor.facts.tool_decl import ToolDecl, Unresolved
from mcp_doctor.script.zod import read_shape
from mcp_doctor.syntax.found import Found, FoundTool
from mcp_doctor.syntax.values import (
    Constant,
    Definition,
    Fields,
    Free,
    Partial,
    Site,
    Unknown,
    Value,
    as_json,
    as_string,
    as_text,
    dotted,
)

SCHEMA_KEYS = (
    "inputSchema",
    "input_schema",
    "parameters",
    "schema",
    "paramsSchema",
    "args",
    "inputs",
    "zodSchema",
)
HANDLER_KEYS = (
    "execute",
    "handler",
    "run",
    "callback",
    "cb",
    "handle",
    "call",
    "func",
    "fn",
    "implementation",
)
_HINTS = frozenset({"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})


@dataclass(frozen=True, slots=True)
class Idiom:
    """How a tool was found: the language of the file, the framework's owner and the idiom."""

    language: str
    framework: str
    found_by: str


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a registration as values."""

    name: Value | None
    description: Value | None = None
    schema: Value | None = None
    annotations: Value | None = None
    title: Value | None = None
    handler: Value | None = None


def language_of(site: Site) -> str:
    """Name the language of a file."""
    return "javascript" if site.module.grammar == "javascript" else "typescript"


def declared(parts: Parts, site: Site, idiom: Idiom) -> Found:
    """Make a tool of its parts, or say why its name is not known."""
    name = as_string(parts.name)
    if name is None:
        return Unresolved(site.place, idiom.language, idiom.found_by, _reason(parts.name))
    shape = read_shape(parts.schema)
    description = as_text(parts.description)
    handler = (
        parts.handler.site if isinstance(parts.handler, Definition) and not parts.handler.is_class else None
    )
    lacking = [] if shape.complete else ["parameters"]
    lacking += [] if description.known else ["description"]
    tool = ToolDecl(
        name=name,
        place=site.place,
        language=idiom.language,
        framework=idiom.framework,
        found_by=idiom.found_by,
        title=as_string(parts.title),
        description=description,
        parameters=shape.parameters,
        complete=shape.complete,
        annotations=_annotations(parts.annotations),
        handler=handler.place if handler is not None else None,
        unresolved=tuple(lacking),
    )
    return FoundTool(tool, handler)


def parts_of_object(value: Fields, keys: dict[str, str] | None = None) -> Parts:
    """Take the parts of a tool from an object; `keys` names them where they are called otherwise."""
    named = keys or {}
    schema = next(
        (found for key in (named.get("schema", ""), *SCHEMA_KEYS) if (found := value.get(key)) is not None),
        None,
    )
    handler = next((found for key in HANDLER_KEYS if (found := value.get(key)) is not None), None)
    return Parts(
        name=value.get(named.get("name", "name")),
        description=value.get(named.get("description", "description")),
        schema=schema,
        annotations=value.get("annotations"),
        title=value.get("title"),
        handler=handler,
    )


def is_hints(value: Value) -> bool:
    """Tell whether an object holds annotations and nothing else."""
    return (
        isinstance(value, Fields) and bool(value.entries) and all(name in _HINTS for name, _ in value.entries)
    )


def _annotations(value: Value | None) -> dict[str, Json]:
    found = as_json(value)
    known = found if isinstance(found, dict) else {}
    return {name: member for name, member in known.items() if member is not None}


def _reason(name: Value | None) -> str:
    match name:
        case None:
            return "it is given no name that stands in the source"
        case Unknown(reason=why):
            return f"its name is made at run time: {why}"
        case Partial(known):
            return f"its name is made at run time, from {known[:60]!r}"
        case Free(variable):
            return f"its name is the value of {variable} at run time"
        case Constant(value):
            return f"its name is {value!r}"
    return f"its name is made at run time: {dotted(name)[:60] or 'an expression'}"
