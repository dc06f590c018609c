"""Whether one set of arguments could be meant for either of two tools."""

from collections.abc import Mapping

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition

_NUMBERS = frozenset({"integer", "number"})


def both_take(one: ToolDefinition, other: ToolDefinition) -> bool:
    """Whether arguments exist that both schemas allow and of which neither leaves any unread.

    All that either requires must be a parameter of the other, of a type that they share.
    """
    required = {*one.required, *other.required}
    mine, theirs = one.properties, other.properties
    if not all(name in mine and name in theirs for name in required):
        return False
    return all(_meet(mine[name], theirs[name]) for name in required)


def shared_parameters(one: ToolDefinition, other: ToolDefinition) -> float:
    """Give the part of all parameters of two tools that both have; 1 where neither has any."""
    mine, theirs = set(one.properties), set(other.properties)
    together = mine | theirs
    return len(mine & theirs) / len(together) if together else 1.0


def _meet(one: Json, other: Json) -> bool:
    mine, theirs = _types(one), _types(other)
    if mine is not None and theirs is not None and not (mine & theirs):
        return False
    values, others = _values(one), _values(other)
    return values is None or others is None or any(value in others for value in values)


def _types(schema: Json) -> frozenset[str] | None:
    """Give the types that a schema names at its top, None where it names none."""
    named = schema.get("type") if isinstance(schema, Mapping) else None
    listed = named if isinstance(named, list) else [named]
    types = frozenset(each for each in listed if isinstance(each, str))
    return (types | _NUMBERS if types & _NUMBERS else types) or None


def _values(schema: Json) -> list[Json] | None:
    values = schema.get("enum") if isinstance(schema, Mapping) else None
    if isinstance(schema, Mapping) and "const" in schema:
        return [schema["const"]]
    return values if isinstance(values, list) else None
