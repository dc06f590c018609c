"""Parameters out of Zod schemas (3 and 4), or whatever else a schema of a tool is written as."""

from collections.abc import Iterator
from dataclasses import dataclass

from mcp_doctor.facts.tool_decl import NO_TEXT, UNKNOWN_TEXT, Default, Parameter, Text
from mcp_doctor.syntax.json_schema import schema_parameters
from mcp_doctor.syntax.values import (
    Call,
    Constant,
    Definition,
    External,
    Fields,
    Free,
    Items,
    Member,
    Value,
    as_json,
    as_string,
    as_text,
    is_known,
)

CONVERTERS = frozenset(
    {
        "zodToJsonSchema",
        "toJSONSchema",
        "toJsonSchema",
        "jsonSchema",
        "fromJsonSchema",
        "zodToJsonSchemaCompat",
        "convertToJsonSchema",
    }
)
_OBJECTS = frozenset({"object", "strictObject", "looseObject", "interface"})
_NULLABLE_TYPES = frozenset({"any", "unknown", "null", "undefined", "void"})
_OPEN_TYPES = frozenset(
    {
        "union",
        "discriminatedUnion",
        "lazy",
        "custom",
        "preprocess",
        "intersection",
        "pipe",
        "transform",
        "literal",
    }
)
_TYPES = frozenset(
    {
        "string", "number", "boolean", "bigint", "date", "array", "tuple", "enum", "nativeEnum", "record",
        "map",
        "set", "email", "url", "uuid", "int", "int32", "iso", "base64", "stringbool", "templateLiteral",
        "file",
    }
) | _OBJECTS | _NULLABLE_TYPES | _OPEN_TYPES  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """The parameters of a tool as its schema shows them; not `complete` where a part was not followed."""

    parameters: tuple[Parameter, ...] = ()
    complete: bool = True


def read_shape(value: Value | None) -> Shape:
    """Read a schema: a Zod object or raw shape, a JSON Schema, or a conversion between them."""
    if value is None or (isinstance(value, Constant) and value.value is None):
        return Shape()
    if isinstance(value, Fields) and _is_json_schema(value):
        parameters, complete = schema_parameters(value)
        return Shape(parameters, complete)
    converted = _converted(value)
    if converted is not None:
        return read_shape(converted)
    shape = object_shape(value)
    if shape is None and isinstance(value, Call) and value.args:
        shape = object_shape(value.args[0])
    if shape is None or any(isinstance(member, Definition) for _, member in shape.entries):
        return Shape(complete=False)
    members = dict(shape.entries)
    return Shape(tuple(_parameter(name, member) for name, member in members.items()), shape.complete)


def _is_json_schema(value: Fields) -> bool:
    return isinstance(value.get("type"), Constant) or isinstance(
        value.get("properties"), Fields | Member | External
    )


def _converted(value: Value) -> Value | None:
    if isinstance(value, Call) and value.args and _last_name(value.callee) in CONVERTERS:
        return value.args[0]
    return None


def _last_name(value: Value) -> str:
    if isinstance(value, Member):
        return value.name
    if isinstance(value, External | Free):
        return value.name.replace("#", ".").rpartition(".")[2]
    return getattr(value, "name", "")


def object_shape(value: Value) -> Fields | None:
    """Give the members of an object schema; None where it is none, or was not followed."""
    return _shape(value, 0)


def literal_value(value: Value) -> Value | None:
    """Give what `z.literal(…)` holds."""
    if isinstance(value, Call) and _last_name(value.callee) == "literal" and value.args:
        return value.args[0]
    return None


def _shape(value: Value, depth: int) -> Fields | None:
    """Give the raw shape of an object schema, through the methods that change it."""
    if isinstance(value, Fields):
        return value
    if depth > 30:
        return None
    if isinstance(value, Member) and value.name == "shape":
        return _shape(value.base, depth + 1)
    if not isinstance(value, Call):
        return None
    method = _last_name(value.callee)
    first = value.args[0] if value.args else None
    if method in _OBJECTS and (isinstance(first, Fields) or first is None):
        return first or Fields((), value.site)
    base = _shape(value.callee.base, depth + 1) if isinstance(value.callee, Member) else None
    if base is None:
        return None
    return _changed(base, method, first, depth)


def _changed(base: Fields, method: str, argument: Value | None, depth: int) -> Fields:
    if method in ("extend", "merge", "safeExtend", "augment", "and"):
        added = _shape(argument, depth + 1) if argument is not None else None
        entries = added.entries if added is not None else ()
        complete = base.complete and added is not None and added.complete
        return Fields((*base.entries, *entries), base.site, complete)
    if method in ("pick", "omit") and isinstance(argument, Fields):
        names = {name for name, _ in argument.entries}
        kept = tuple(entry for entry in base.entries if (entry[0] in names) == (method == "pick"))
        return Fields(kept, base.site, base.complete)
    return base


@dataclass(slots=True)
class _Chain:
    """What the methods of one field's schema say."""

    type: str | None = None
    description: Text = NO_TEXT
    default: Default | None = None
    optional: bool = False
    nullable: bool | None = False
    followed: bool = True


def _parameter(name: str, value: Value) -> Parameter:
    if isinstance(value, Fields) and _is_json_schema(value):
        return schema_parameters(Fields((("properties", Fields(((name, value),), value.site)),), value.site))[
            0
        ][0]
    chain = _Chain()
    for link in _links(value):
        _take(chain, link)
    if not chain.followed and chain.description.missing:
        chain.description = UNKNOWN_TEXT
    return Parameter(
        name=name,
        place=value.site.place,
        type=chain.type,
        required=not chain.optional and chain.default is None,
        default=chain.default,
        nullable=chain.nullable if chain.followed or chain.nullable else None,
        description=chain.description,
    )


def _links(value: Value) -> Iterator[Call | Value]:
    """Give the calls of a chain, outermost first, and what it begins with."""
    for _ in range(60):
        if not isinstance(value, Call):
            break
        yield value
        if not isinstance(value.callee, Member):
            return
        if _last_name(value.callee) in _TYPES and not isinstance(value.callee.base, Call):
            return
        value = value.callee.base
    yield value


def _take(chain: _Chain, link: Value) -> None:
    if not isinstance(link, Call):
        chain.followed = chain.followed and chain.type is not None
        return
    name = _last_name(link.callee)
    first = link.args[0] if link.args else None
    match name:
        case "describe" if chain.description.missing:
            chain.description = as_text(first)
        case "meta" | "register" if isinstance(first, Fields) and chain.description.missing:
            chain.description = as_text(first.get("description"))
        case "optional":
            chain.optional = True
            _inside(chain, first)
        case "nullish":
            chain.optional, chain.nullable = True, True
        case "nullable":
            chain.nullable = True
            _inside(chain, first)
        case "default" | "prefault" | "catch" if chain.default is None and first is not None:
            chain.default = Default(as_json(first), is_known(first))
        case known if known in _TYPES:
            _typed(chain, known, first)


def _inside(chain: _Chain, inner: Value | None) -> None:
    """Read `z.optional(inner)`, the form of functions."""
    if isinstance(inner, Call):
        for link in _links(inner):
            _take(chain, link)


def _typed(chain: _Chain, name: str, first: Value | None) -> None:
    chain.type = name if name not in _OPEN_TYPES or chain.type is None else chain.type
    if name in _NULLABLE_TYPES:
        chain.nullable = True
    elif name in _OPEN_TYPES and chain.nullable is False:
        chain.nullable = None
    if name == "enum" and isinstance(first, Items):
        values = [text for text in map(as_string, first.items) if text is not None]
        chain.type = " | ".join(f'"{one}"' for one in values[:20]) or "enum"
