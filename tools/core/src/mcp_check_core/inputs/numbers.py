"""Numbers that keep to a schema."""

import math
from random import Random

from mcp_check_core.inputs.limits import CannotMakeError
from mcp_check_core.inputs.resolve import Schema
from mcp_check_core.inputs.schema_parts import number_of


def make_number(schema: Schema, random: Random, *, whole: bool) -> int | float:
    """Make a number within the bounds and on the multiple of a schema. Raises CannotMakeError."""
    return nearest_number(schema, random.randint(1, 9), whole=whole)


def nearest_number(schema: Schema, wanted: float, *, whole: bool) -> int | float:
    """Give the number nearest to one that is wanted that keeps to the schema. Raises CannotMakeError."""
    try:
        return _nearest(schema, wanted, whole)
    except (OverflowError, ZeroDivisionError, ValueError) as problem:
        raise CannotMakeError("its bounds cannot be calculated with") from problem


def least_number(schema: Schema, *, whole: bool) -> float:
    """Give the least number that the bounds allow, minus infinity where there is no bound."""
    least = _bound(schema, "minimum", -math.inf)
    open_end = schema.get("exclusiveMinimum")
    if open_end is True:
        return above(least, whole=whole)
    return max(least, above(_bound(schema, "exclusiveMinimum", -math.inf), whole=whole))


def greatest_number(schema: Schema, *, whole: bool) -> float:
    """Give the greatest number that the bounds allow, infinity where there is no bound."""
    most = _bound(schema, "maximum", math.inf)
    open_end = schema.get("exclusiveMaximum")
    if open_end is True:
        return -above(-most, whole=whole)
    return min(most, -above(-_bound(schema, "exclusiveMaximum", math.inf), whole=whole))


def above(bound: float, *, whole: bool) -> float:
    """Give a value a little above a bound: the next whole number, or a millionth of it more."""
    if math.isinf(bound):
        return bound
    if whole:
        return math.floor(bound) + 1
    return bound + max(abs(bound) * 1e-6, 1e-6)


def _nearest(schema: Schema, wanted: float, whole: bool) -> int | float:
    least, most = least_number(schema, whole=whole), greatest_number(schema, whole=whole)
    step = _bound(schema, "multipleOf", 1 if whole else 0)
    if least > most:
        raise CannotMakeError("its least value is above its greatest")
    if not least <= wanted <= most:
        wanted = least if least > wanted else most
    if step > 0:
        wanted = _on_step(wanted, step, least)
    if whole:
        wanted = math.ceil(wanted)
    if not least <= wanted <= most:
        wanted = (least + most) / 2 if step <= 0 else wanted
    if not least <= wanted <= most or math.isinf(wanted):
        raise CannotMakeError("no number lies within its bounds and on its multiple")
    return wanted


def _on_step(wanted: float, step: float, least: float) -> int | float:
    down = wanted // step * step
    return down if down >= least else -(-wanted // step) * step


def _bound(schema: Schema, name: str, default: float) -> float:
    value = number_of(schema, name)
    return default if value is None else value
