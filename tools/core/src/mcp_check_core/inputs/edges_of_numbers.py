"""Values just outside and just inside of the constraints on numbers."""

from random import Random

from mcp_check_core.inputs.edge import Edge
from mcp_check_core.inputs.limits import CannotMakeError
from mcp_check_core.inputs.numbers import nearest_number
from mcp_check_core.inputs.resolve import Schema
from mcp_check_core.inputs.schema_parts import kind_to_make, number_of
from mcp_check_core.model.json_value import Json


def minimum(schema: Schema, _base: Json, _random: Random) -> Edge:
    """Go one step below the least number, or onto it where it is excluded (draft 4)."""
    bound, whole = _needed(schema, "minimum"), _whole(schema)
    inside = nearest_number(schema, bound, whole=whole)
    if schema.get("exclusiveMinimum") is True:
        return Edge("minimum", (bound,), (inside,))
    return Edge("minimum", (bound - _step(schema), bound - 1), (inside,))


def maximum(schema: Schema, _base: Json, _random: Random) -> Edge:
    """Go one step above the greatest number, or onto it where it is excluded (draft 4)."""
    bound, whole = _needed(schema, "maximum"), _whole(schema)
    inside = _highest(schema, bound, whole)
    if schema.get("exclusiveMaximum") is True:
        return Edge("maximum", (bound,), (inside,))
    return Edge("maximum", (bound + _step(schema), bound + 1), (inside,))


def exclusive_minimum(schema: Schema, _base: Json, _random: Random) -> Edge:
    """Send the excluded bound itself."""
    if isinstance(schema["exclusiveMinimum"], bool):
        return Edge("exclusiveMinimum", reason="it says how minimum is meant (draft 4), and is broken there")
    bound = _needed(schema, "exclusiveMinimum")
    return Edge("exclusiveMinimum", (bound,), (nearest_number(schema, bound, whole=_whole(schema)),))


def exclusive_maximum(schema: Schema, _base: Json, _random: Random) -> Edge:
    """Send the excluded bound itself."""
    if isinstance(schema["exclusiveMaximum"], bool):
        return Edge("exclusiveMaximum", reason="it says how maximum is meant (draft 4), and is broken there")
    bound = _needed(schema, "exclusiveMaximum")
    return Edge("exclusiveMaximum", (bound,), (_highest(schema, bound, _whole(schema)),))


def multiple_of(schema: Schema, base: Json, _random: Random) -> Edge:
    """Go half a step off the multiple; whole numbers go by one."""
    step = _needed(schema, "multipleOf")
    if not isinstance(base, int | float) or isinstance(base, bool):
        return Edge("multipleOf", reason="the value that was made is no number")
    if _whole(schema) and step == 1:
        return Edge("multipleOf", reason="every whole number is a multiple of 1")
    nearby = base + (1 if _whole(schema) else step / 2)
    return Edge("multipleOf", (nearby, nearby - 2 * (nearby - base)))


def _needed(schema: Schema, name: str) -> int | float:
    bound = number_of(schema, name)
    if bound is None:
        raise CannotMakeError(f"its {name} is no number")
    return bound


def _highest(schema: Schema, bound: float, whole: bool) -> int | float:
    """Give the highest number that keeps to the schema."""
    step = number_of(schema, "multipleOf")
    wanted = bound // step * step if step else bound
    return nearest_number(schema, wanted, whole=whole)


def _whole(schema: Schema) -> bool:
    return kind_to_make(schema) == "integer"


def _step(schema: Schema) -> int | float:
    """Give the smallest distance that makes another value: the multiple, 1, or a hundredth."""
    step = number_of(schema, "multipleOf")
    return step or (1 if _whole(schema) else 0.01)
