"""What an object has to hold by its schema beside its described properties."""

import math
from collections.abc import Mapping
from random import Random

from mcp_check_core.inputs.limits import OBJECT_MEMBERS, Budget, CannotMakeError
from mcp_check_core.inputs.pattern_texts import pattern_judge
from mcp_check_core.inputs.resolve import Schema, resolve
from mcp_check_core.inputs.schema_parts import additional_of, dependents_of, properties_of, size_bound
from mcp_check_core.inputs.texts import make_text
from mcp_check_core.model.json_value import Json

_PATTERNS = 10
"""Patterns for names that are looked at."""


def size_of(schema: Schema) -> tuple[int, float]:
    """Read the least and the most properties. Raises CannotMakeError for more than is sent."""
    least, most = size_bound(schema, "minProperties", 0), size_bound(schema, "maxProperties", math.inf)
    if least > OBJECT_MEMBERS:
        raise CannotMakeError(f"it needs over {OBJECT_MEMBERS} properties, and that many are the most sent")
    if least > most:
        raise CannotMakeError("its minProperties is above its maxProperties")
    return math.ceil(least), most


def member_schema(schema: Schema, name: str) -> Json:
    """Give the schema of one property: its own, that of a pattern that its name matches, or of any other."""
    properties = properties_of(schema)
    if name in properties:
        return properties[name]
    patterns = schema.get("patternProperties")
    if isinstance(patterns, dict):
        for pattern, member in list(patterns.items())[:_PATTERNS]:
            if pattern_judge(pattern).matches(name):
                return member
    return additional_of(schema)


def still_needed(schema: Schema, value: Mapping[str, Json]) -> str | None:
    """Name a property that one which is there requires beside it, if one is missing."""
    for name, needed in dependents_of(schema):
        if name in value and len(value) < OBJECT_MEMBERS:
            missing = next((other for other in needed if other not in value), None)
            if missing is not None:
                return missing
    return None


def free_names(
    schema: Schema, value: Mapping[str, Json], least: int, root: Json, random: Random, budget: Budget
) -> list[str]:
    """Invent names until an object has `least` properties. Raises CannotMakeError where none are allowed."""
    names: list[str] = []
    while len(value) + len(names) < least:
        name = _free_name(schema, len(names) + 1, root, random, budget)
        if name in value or name in names:
            name = f"{name}{len(names) + 1}"
        if name in names:
            raise CannotMakeError("it needs more properties than names are found for")
        names.append(name)
    return names


def _free_name(schema: Schema, number: int, root: Json, random: Random, budget: Budget) -> str:
    rule = schema.get("propertyNames")
    if isinstance(rule, dict):
        named = resolve(rule, root, budget)
        enum = named.get("enum")
        if isinstance(enum, list) and enum:
            return str(enum[(number - 1) % len(enum)])
        if isinstance(named.get("const"), str):
            return str(named["const"])
        return make_text(named, random)
    optional = list(properties_of(schema))[:OBJECT_MEMBERS]
    if additional_of(schema) is False and number <= len(optional):
        return optional[number - 1]
    return f"extra{number}"
