"""Values of another JSON type than the one that a schema wants."""

from collections.abc import Iterator, Sequence

from mcp_check_core.inputs.schema_parts import is_of_types
from mcp_check_core.model.json_value import Json

_FOR_STRING: tuple[Json, ...] = (12345, True, ["sample"], {"sample": 1}, None, 1.5)
_FOR_NUMBER: tuple[Json, ...] = ("sample", ["sample"], {"sample": 1}, None, True, "5", 1.5)
_FOR_BOOLEAN: tuple[Json, ...] = ("sample", 12345, ["sample"], {"sample": 1}, None, "true", 1.5)
_FOR_ARRAY: tuple[Json, ...] = ("sample", 12345, {"sample": 1}, True, None, 1.5)
_FOR_OBJECT: tuple[Json, ...] = ("sample", 12345, ["sample"], True, None, 1.5)
_TABLE = {
    "string": _FOR_STRING,
    "integer": _FOR_NUMBER,
    "number": _FOR_NUMBER,
    "boolean": _FOR_BOOLEAN,
    "array": _FOR_ARRAY,
    "object": _FOR_OBJECT,
    "null": _FOR_OBJECT,
}
"""For each wanted type the values to send, the one that no framework would convert first."""


def wrong_values(kinds: Sequence[str]) -> Iterator[Json]:
    """Give values of every JSON type that is not among `kinds`, in the order in which to try them."""
    first = next((kind for kind in kinds if kind != "null"), "null")
    return (value for value in _TABLE[first] if not is_of_types(value, kinds))
