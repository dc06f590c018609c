"""For one constraint of a schema: values just outside of it, and the one just inside.

A value outside is meant to break that constraint alone; several are given, best first, because another part
of the schema may happen to allow one. The validator says afterwards which of them really break it.
"""

from collections.abc import Callable, Iterator, Mapping
from random import Random

from mcp_check_core.inputs import edges_of_containers, edges_of_numbers, edges_of_texts
from mcp_check_core.inputs.arrays import same
from mcp_check_core.inputs.edge import Edge
from mcp_check_core.inputs.limits import ARRAY_ITEMS, CannotMakeError
from mcp_check_core.inputs.resolve import Schema
from mcp_check_core.inputs.schema_parts import types_of
from mcp_check_core.inputs.wrong_types import wrong_values
from mcp_check_core.model.json_value import Json

_Finder = Callable[[Schema, Json, Random], Edge]


def edges(schema: Schema, base: Json, random: Random) -> Iterator[Edge]:
    """Give the edges of a resolved schema around a value that keeps to it, in the order of a fixed table."""
    for keyword, finder in _FINDERS.items():
        if keyword in schema:
            try:
                yield finder(schema, base, random)
            except CannotMakeError as problem:
                yield Edge(keyword, reason=str(problem))
            except (OverflowError, ValueError, ZeroDivisionError, TypeError):
                yield Edge(keyword, reason="its bound cannot be calculated with")
    yield from edges_of_containers.missing_members(schema, base)


def _type(schema: Schema, _base: Json, _random: Random) -> Edge:
    kinds = types_of(schema)
    if not kinds:
        return Edge("type", reason="its type is none of JSON's")
    return Edge("type", tuple(wrong_values(kinds)))


def _enum(schema: Schema, base: Json, _random: Random) -> Edge:
    enum = schema["enum"]
    members = enum[:ARRAY_ITEMS] if isinstance(enum, list) else []
    inside = [item for item in members if not same(item, base)][-1:]
    return Edge("enum", _others(base, members), tuple(inside))


def _const(schema: Schema, base: Json, _random: Random) -> Edge:
    return Edge("const", _others(base, [schema["const"]]))


def _others(base: Json, members: list[Json]) -> tuple[Json, ...]:
    """Give values of the same type as one that is allowed, none of which is among the members."""
    tried: list[Json]
    match base:
        case bool():
            tried = [not base]
        case str():
            tried = [base + "x", base.swapcase(), "not-one-of-these"]
        case int() | float():
            numbers = [item for item in members if isinstance(item, int | float)]
            tried = [max(numbers, default=base) + 1, base + 987_654]
        case None:
            tried = ["not-one-of-these"]
        case _:
            tried = ["not-one-of-these", {}, []]
    return tuple(value for value in tried if not any(same(value, item) for item in members))


_FINDERS: Mapping[str, _Finder] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "minimum": edges_of_numbers.minimum,
    "maximum": edges_of_numbers.maximum,
    "exclusiveMinimum": edges_of_numbers.exclusive_minimum,
    "exclusiveMaximum": edges_of_numbers.exclusive_maximum,
    "multipleOf": edges_of_numbers.multiple_of,
    "minLength": edges_of_texts.min_length,
    "maxLength": edges_of_texts.max_length,
    "pattern": edges_of_texts.pattern,
    "format": edges_of_texts.form,
    "minItems": edges_of_containers.min_items,
    "maxItems": edges_of_containers.max_items,
    "uniqueItems": edges_of_containers.unique_items,
    "additionalProperties": edges_of_containers.additional,
    "propertyNames": edges_of_containers.property_names,
    "minProperties": edges_of_containers.min_properties,
    "maxProperties": edges_of_containers.max_properties,
}
EDGE_KEYWORDS = (*_FINDERS, "required", "dependentRequired", "dependencies")
"""The keywords that are broken on purpose; anyOf, oneOf and not are in `variants`."""
