"""JSON values as Python objects, and their one canonical text."""

import json
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def canonical_json(value: Json) -> bytes:
    """Write a value as compact UTF-8 JSON with sorted keys.

    Equal values give equal bytes whatever the order of their keys. Unicode is kept as it is;
    a lone surrogate, which UTF-8 has no place for, is written as its three surrogate bytes.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def json_type(value: object) -> str:
    """Name the JSON type of a value: null, boolean, integer, number, string, array or object."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list() | tuple():
            return "array"
        case _:
            return "object"
