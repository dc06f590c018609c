"""The schemas within a schema."""

from collections.abc import Iterator
from dataclasses import dataclass

from mcp_check_core.model.json_value import Json

_MAPS = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)
"""Keywords that map free names to schemas."""
_LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems", "items"})
_SINGLE = frozenset(
    {
        "items", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties",
        "contains", "propertyNames", "not", "if", "then", "else", "contentSchema",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Subschema:
    """An object schema and the path at which it stands."""

    path: tuple[str | int, ...]
    schema: dict[str, Json]


def subschemas(root: Json) -> Iterator[Subschema]:
    """Yield each object schema, the root first; what stands under data keywords is none."""
    waiting: list[tuple[tuple[str | int, ...], Json]] = [((), root)]
    while waiting:
        path, value = waiting.pop()
        if not isinstance(value, dict):
            continue
        yield Subschema(path, value)
        below = [entry for word, member in value.items() for entry in _below(path, word, member)]
        waiting += reversed(below)


def _below(
    path: tuple[str | int, ...], word: str, member: Json
) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    if word in _MAPS and isinstance(member, dict):
        yield from (((*path, word, name), schema) for name, schema in member.items())
    elif word in _LISTS and isinstance(member, list):
        yield from (((*path, word, place), schema) for place, schema in enumerate(member))
    elif word in _SINGLE:
        yield (*path, word), member
