"""Parts of a resolved schema, read without trust in their shapes."""

import math
from collections.abc import Iterator, Mapping, Sequence

from mcp_check_core.inputs.limits import OBJECT_MEMBERS, CannotMakeError
from mcp_check_core.inputs.resolve import Schema
from mcp_check_core.model.json_value import Json, json_type

_KEYWORD_TYPES = (
    ("object", ("properties", "required", "additionalProperties", "minProperties", "patternProperties")),
    ("array", ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains")),
    ("integer", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
)
_LISTED = 10 * OBJECT_MEMBERS
TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")


def types_of(schema: Schema) -> tuple[str, ...]:
    """List the JSON types that a schema names; empty where it names none that exists."""
    kind = schema.get("type")
    names = kind[: 2 * len(TYPES)] if isinstance(kind, list) else [kind]
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str) and name in TYPES))


def is_of_types(value: Json, kinds: Sequence[str]) -> bool:
    """Whether a value is of one of these JSON types; an integer is a number too."""
    kind = json_type(value)
    return kind in kinds or (kind == "integer" and "number" in kinds)


def kind_to_make(schema: Schema, *, arguments: bool = False) -> str:
    """Name the JSON type to make; `arguments` themselves are an object wherever the schema lets them."""
    kinds = types_of(schema)
    if arguments and (not kinds or "object" in kinds):
        return "object"
    if kinds:
        return next((kind for kind in kinds if kind != "null"), "null")
    if "type" in schema:
        raise CannotMakeError("its type is none of JSON's")
    return next((kind for kind, names in _KEYWORD_TYPES if any(name in schema for name in names)), "string")


def is_null(branch: Json) -> bool:
    """Whether a branch stands for null alone."""
    return isinstance(branch, dict) and branch.get("type") == "null"


def has_default(schema: Json) -> bool:
    """Whether a schema states a default that is not null."""
    return isinstance(schema, dict) and schema.get("default") is not None


def properties_of(schema: Schema) -> Mapping[str, Json]:
    """Give the properties of a schema. Raises CannotMakeError where they are no object."""
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        raise CannotMakeError(f"its properties are {json_type(properties)}, not an object")
    return properties


def required_of(schema: Schema) -> list[str]:
    """Give the names that a schema requires; what is no string there is left out."""
    return texts_in(schema.get("required"))


def texts_in(value: Json) -> list[str]:
    """Give the texts in an array, as far as they are read; none where it is no array."""
    return [item for item in value[:_LISTED] if isinstance(item, str)] if isinstance(value, list) else []


def undescribed(required: Sequence[str], properties: Mapping[str, Json]) -> Sequence[str]:
    """Give the required names that have no schema of their own, each once."""
    return [name for name in dict.fromkeys(required) if name not in properties]


def additional_of(schema: Schema) -> Json:
    """Give the schema of properties that are not described."""
    return schema.get("additionalProperties", True)


def items_of(schema: Schema) -> tuple[Json, Sequence[Json]]:
    """Give the schema of further items and those of the first ones, in the words of every draft."""
    items, first = schema.get("items", True), schema.get("prefixItems")
    if isinstance(items, list):
        return schema.get("additionalItems", True), items
    return items, first if isinstance(first, list) else ()


def dependents_of(schema: Schema) -> Iterator[tuple[str, list[str]]]:
    """Give for a property the ones that it requires beside it, in the words of every draft."""
    for keyword in ("dependentRequired", "dependencies"):
        named = schema.get(keyword)
        if isinstance(named, dict):
            yield from ((name, texts_in(needed)) for name, needed in named.items() if texts_in(needed))


def size_bound(schema: Schema, name: str, default: float) -> float:
    """Read a bound that counts something; the default where it is absent or no number from 0."""
    value = number_of(schema, name)
    return default if value is None or value < 0 else value


def number_of(schema: Schema, name: str) -> int | float | None:
    """Read a number; None where it is absent or none."""
    value = schema.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return None if isinstance(value, float) and math.isnan(value) else value
