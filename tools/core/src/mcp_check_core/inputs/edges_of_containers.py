"""Values just outside and just inside of the constraints on arrays and objects."""

from collections.abc import Iterator
from random import Random

from mcp_check_core.inputs.edge import Edge
from mcp_check_core.inputs.limits import ARRAY_ITEMS, OBJECT_MEMBERS
from mcp_check_core.inputs.resolve import Schema
from mcp_check_core.inputs.schema_parts import dependents_of, required_of, size_bound, types_of
from mcp_check_core.inputs.wrong_types import wrong_values
from mcp_check_core.model.json_value import Json

UNDECLARED = "undeclared_property"
"""Name of a property that no schema describes."""


def min_items(schema: Schema, base: Json, _random: Random) -> Edge:
    """Leave out items until there is one too few."""
    least = size_bound(schema, "minItems", 0)
    if not isinstance(base, list) or least == 0:
        return Edge("minItems", reason="every array has at least no items")
    return Edge("minItems", (base[: int(least) - 1],), (base[: int(least)],))


def max_items(schema: Schema, base: Json, _random: Random) -> Edge:
    """Repeat items until there is one too many."""
    most = size_bound(schema, "maxItems", ARRAY_ITEMS)
    if not isinstance(base, list) or most >= ARRAY_ITEMS:
        return Edge("maxItems", reason=f"{ARRAY_ITEMS} items are the most that is sent")
    if not base:
        return Edge("maxItems", (["sample"] * (int(most) + 1),))
    unique = schema.get("uniqueItems") is True
    filled = _stretched(base, int(most) + 1, unique)
    return Edge("maxItems", (filled,), (filled[: int(most)],))


def _stretched(items: list[Json], length: int, unique: bool) -> list[Json]:
    """Repeat the last item; where all must differ, as far as texts and numbers can be made to."""
    longer = list(items)
    while len(longer) < length:
        last = items[-1]
        if unique and isinstance(last, str):
            longer.append(f"{last}{len(longer)}")
        elif unique and isinstance(last, int | float) and not isinstance(last, bool):
            longer.append(last + len(longer))
        else:
            longer.append(last)
    return longer


def unique_items(schema: Schema, base: Json, _random: Random) -> Edge:
    """Repeat the first item."""
    if schema["uniqueItems"] is not True or not isinstance(base, list) or not base:
        return Edge("uniqueItems", reason="there is no item to repeat")
    most = size_bound(schema, "maxItems", ARRAY_ITEMS)
    if most < 2:
        return Edge("uniqueItems", reason="it may not hold two items")
    kept = base[: int(most) - 1]
    return Edge("uniqueItems", ([*kept, kept[0]],))


def additional(schema: Schema, base: Json, _random: Random) -> Edge:
    """Add a property that is not described, of a wrong type where any other is allowed."""
    if not isinstance(base, dict):
        return Edge("additionalProperties", reason="the value that was made is no object")
    allowed = schema["additionalProperties"]
    if allowed is False:
        return Edge("additionalProperties", ({**base, UNDECLARED: "sample"},))
    if not isinstance(allowed, dict) or not (kinds := types_of(allowed)):
        return Edge("additionalProperties", reason="it allows any further property")
    return Edge("additionalProperties", tuple({**base, UNDECLARED: value} for value in wrong_values(kinds)))


def property_names(schema: Schema, base: Json, _random: Random) -> Edge:
    """Add a property of a name that is not allowed."""
    rule = schema["propertyNames"]
    if not isinstance(base, dict) or not isinstance(rule, dict):
        return Edge("propertyNames", reason="it allows any name")
    names = ("not one of these \u00e9", "", "x" * 300)
    value = next(iter(base.values()), "sample")
    return Edge("propertyNames", tuple({**base, name: value} for name in names))


def min_properties(schema: Schema, base: Json, _random: Random) -> Edge:
    """Leave out properties until there is one too few."""
    least = size_bound(schema, "minProperties", 0)
    if not isinstance(base, dict) or least == 0:
        return Edge("minProperties", reason="every object has at least no properties")
    return Edge("minProperties", (dict(list(base.items())[: int(least) - 1]),))


def max_properties(schema: Schema, base: Json, _random: Random) -> Edge:
    """Add properties until there is one too many."""
    most = size_bound(schema, "maxProperties", OBJECT_MEMBERS)
    if not isinstance(base, dict) or most >= OBJECT_MEMBERS:
        return Edge("maxProperties", reason=f"{OBJECT_MEMBERS} properties are the most that is sent")
    more = {f"{UNDECLARED}_{number}": "sample" for number in range(int(most) + 1 - len(base))}
    return Edge("maxProperties", ({**base, **more},))


def missing_members(schema: Schema, base: Json) -> Iterator[Edge]:
    """Leave out each required property, then each one that another property requires beside it."""
    if not isinstance(base, dict):
        return
    for name in dict.fromkeys(required_of(schema)[:OBJECT_MEMBERS]):
        if name in base:
            yield Edge("required", (_less(base, name),))
    for name, needed in dependents_of(schema):
        for other in needed[:OBJECT_MEMBERS]:
            if name in base and other in base and other != name:
                yield Edge("dependentRequired", (_less(base, other),))


def _less(base: dict[str, Json], name: str) -> Json:
    return {other: member for other, member in base.items() if other != name}
