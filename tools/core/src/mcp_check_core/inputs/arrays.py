"""What an array has to hold by its schema."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mcp_check_core.inputs.limits import ARRAY_ITEMS, CannotMakeError
from mcp_check_core.inputs.resolve import Schema
from mcp_check_core.inputs.schema_parts import items_of, size_bound
from mcp_check_core.judges.shape import depth
from mcp_check_core.model.json_value import Json, canonical_json

_COMPARED_LEVELS = 100


@dataclass(frozen=True, slots=True)
class ArrayPlan:
    """How many items to make, and of which schemas: the first ones, those that it must contain, the rest."""

    least: int
    wanted: int
    first: Sequence[Json]
    rest: Json
    contained: Json
    contains: int
    unique: bool

    def item(self, number: int) -> Json:
        """Give the schema of one item."""
        if number < len(self.first):
            return self.first[number]
        if number - len(self.first) < self.contains:
            return {"allOf": [self.rest, self.contained]}
        return self.rest


def plan_array(schema: Schema) -> ArrayPlan:
    """Read what an array has to hold; one item where nothing is said. Raises CannotMakeError."""
    least, most = size_bound(schema, "minItems", 0), size_bound(schema, "maxItems", ARRAY_ITEMS)
    contained = schema.get("contains")
    contains = 0 if contained is None else size_bound(schema, "minContains", 1)
    rest, first = items_of(schema)
    needed = max(least, contains + len(first) if contains else 0)
    if needed > ARRAY_ITEMS:
        raise CannotMakeError(f"it needs over {ARRAY_ITEMS} items, and that many are the most that is sent")
    if needed > most:
        raise CannotMakeError("its minItems is above its maxItems")
    wanted = max(math.ceil(needed), min(1, int(most)), min(len(first), int(most)))
    if rest is False:
        wanted = min(wanted, len(first))
    unique = schema.get("uniqueItems") is True
    return ArrayPlan(math.ceil(needed), wanted, first, rest, contained, math.ceil(contains), unique)


def same(first: Json, second: Json) -> bool:
    """Tell whether two values are equal as JSON; those nested too deep to compare are taken as equal."""
    if max(depth(first, _COMPARED_LEVELS), depth(second, _COMPARED_LEVELS)) > _COMPARED_LEVELS:
        return True
    return canonical_json(first) == canonical_json(second)


def distinct(items: list[Json]) -> list[Json]:
    """Make equal texts and numbers differ: a number is added to each further one."""
    seen: list[Json] = []
    for number, item in enumerate(items):
        if not any(same(item, other) for other in seen):
            seen.append(item)
        elif isinstance(item, str):
            seen.append(f"{item}{number}")
        elif isinstance(item, int | float) and not isinstance(item, bool):
            seen.append(item + number)
        else:
            seen.append(item)
    return seen
