"""Where a value comes from: what a schema states of itself, and who may advise further."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mcp_check_core.inputs.limits import ARRAY_ITEMS, CannotMakeError
from mcp_check_core.inputs.patterns import PATTERN_CHARACTERS
from mcp_check_core.inputs.places import Path
from mcp_check_core.inputs.resolve import Schema
from mcp_check_core.inputs.schema_parts import is_of_types, types_of
from mcp_check_core.judges.schema import Judgement, compile_schema
from mcp_check_core.model.json_value import Json, json_type

_ENUM_JUDGED = 1_000
_JUDGED_HERE = (
    *("type", "enum", "const", "pattern", "format", "minLength", "maxLength", "multipleOf"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
)
"""Keywords that are about one value alone, without what is in it."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A value to take if it fits, and in a few words where it comes from (`default`, `name: city`)."""

    value: Json
    source: str


Advice = Callable[[Path, Schema], Iterator[Hint]]
"""Gives the values to try for a place whose resolved schema is known, best first. Never raises."""


def stated(path: Path, schema: Schema) -> Iterator[Hint]:
    """Advise what the schema states itself: the first example, then the default unless it is null."""
    yield from examples(schema)
    yield from defaults(path, schema)


def defaults(_path: Path, schema: Schema) -> Iterator[Hint]:
    """Advise the default alone, unless it is null."""
    if schema.get("default") is not None:
        yield Hint(schema["default"], "default")


def examples(schema: Schema, most: int = 3) -> Iterator[Hint]:
    """Give the examples of a schema, in the words of JSON Schema (`examples`) and of OpenAPI (`example`)."""
    listed = schema.get("examples")
    if isinstance(listed, list):
        yield from (Hint(item, "examples") for item in listed[:most])
    if "example" in schema:
        yield Hint(schema["example"], "example")


def enumerated(schema: Schema) -> list[Json]:
    """List the members of an enum that are of the schema's type, or all. Raises CannotMakeError for none."""
    enum = schema["enum"]
    if not isinstance(enum, list) or not enum:
        raise CannotMakeError(f"its enum is {'empty' if enum == [] else json_type(enum)}")
    kinds = types_of(schema)
    members = enum[:ARRAY_ITEMS]
    return [item for item in members if not kinds or is_of_types(item, kinds)] or members


def fits(schema: Schema, value: Json) -> bool:
    """Tell whether a value keeps to what a schema says of it alone; what is in it is not looked at.

    Where that cannot be judged, it fits: the whole value is judged later.
    """
    local = {name: schema[name] for name in _JUDGED_HERE if name in schema}
    enum = local.get("enum")
    if isinstance(enum, list) and len(enum) > _ENUM_JUDGED:
        del local["enum"]
    if len(str(local.get("pattern", ""))) > PATTERN_CHARACTERS:
        return False
    if local.keys() <= {"type"}:
        kinds = types_of(schema)
        return not kinds or is_of_types(value, kinds)
    return compile_schema(local).judge(value) is not Judgement.INVALID
