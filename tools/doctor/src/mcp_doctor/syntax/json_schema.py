"""Parameters out of a JSON Schema that stands in the source as a literal."""

from collections.abc import Iterator

from mcp_doctor.facts.tool_decl import Default, Parameter
from mcp_doctor.syntax.values import Constant, Fields, Items, Value, as_json, as_string, as_text, is_known

_COMPOSED = ("anyOf", "oneOf", "allOf")


def schema_parameters(schema: Value | None) -> tuple[tuple[Parameter, ...], bool]:
    """Read the properties of an object schema, and whether all of them could be read."""
    if not isinstance(schema, Fields):
        return (), schema is None
    properties = schema.get("properties")
    if properties is None:
        return (), schema.complete
    if not isinstance(properties, Fields):
        return (), False
    required = _names(schema.get("required"))
    found = tuple(_parameter(name, member, required) for name, member in _last(properties))
    return found, properties.complete and schema.complete


def _last(properties: Fields) -> Iterator[tuple[str, Value]]:
    yield from dict(properties.entries).items()


def _names(value: Value | None) -> frozenset[str]:
    items = value.items if isinstance(value, Items) else ()
    return frozenset(name for name in map(as_string, items) if name is not None)


def _parameter(name: str, schema: Value, required: frozenset[str]) -> Parameter:
    if not isinstance(schema, Fields):
        return Parameter(name, schema.site.place, required=name in required, description=as_text(schema))
    default = schema.get("default")
    described = as_text(schema.get("description"))
    if described.missing and not schema.complete:
        described = as_text(schema)
    return Parameter(
        name=name,
        place=schema.site.place,
        type=_type(schema),
        required=name in required,
        default=None if default is None else Default(as_json(default), is_known(default)),
        nullable=_nullable(schema),
        description=described,
    )


def _type(schema: Fields) -> str | None:
    value = schema.get("type")
    if isinstance(value, Items):
        return " | ".join(name for name in map(as_string, value.items) if name is not None)
    return as_string(value)


def _nullable(schema: Fields) -> bool | None:
    """Tell whether null is allowed; None where references or unknown parts leave it open."""
    value, enum = schema.get("type"), schema.get("enum")
    if isinstance(enum, Items) and enum.complete:
        return any(isinstance(item, Constant) and item.value is None for item in enum.items)
    if isinstance(value, Items):
        return "null" in map(as_string, value.items)
    if as_string(value) is not None:
        nullable = schema.get("nullable")
        return as_string(value) == "null" or (isinstance(nullable, Constant) and nullable.value is True)
    if not schema.complete or any(schema.get(name) is not None for name in (*_COMPOSED, "$ref", "type")):
        return None
    return True
