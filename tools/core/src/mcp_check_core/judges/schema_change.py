"""What changed between two schemas in canonical form, and whether the new one asks for, or allows, more."""

from collections.abc import Iterator
from dataclasses import dataclass

from mcp_check_core.judges.change_kinds import ChangeKind
from mcp_check_core.model.json_value import Json, canonical_json

_TEXT, _WIDER, _OTHER = ChangeKind.SCHEMA_TEXT, ChangeKind.SCHEMA_WIDENED, ChangeKind.SCHEMA
_UPPER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"})
_LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"})
_LIMITS = _UPPER | _LOWER | {"multipleOf"}
_CONSTRAINTS = frozenset(
    {
        "pattern",
        "format",
        "const",
        "contentEncoding",
        "contentMediaType",
        "uniqueItems",
        "dependentRequired",
        "dependencies",
    }
)
"""Dropped or changed, they let more in; new ones let in less."""
_OPAQUE = frozenset(
    {
        "$ref",
        "$dynamicRef",
        "$recursiveRef",
        "$anchor",
        "$dynamicAnchor",
        "$id",
        "id",
        "not",
        "if",
        "then",
        "else",
        "dependentSchemas",
    }
)
"""What a change of them lets in cannot be seen from one place, so that it counts as more."""
_OPEN = frozenset(
    {
        "items",
        "additionalProperties",
        "unevaluatedProperties",
        "unevaluatedItems",
        "additionalItems",
        "contains",
        "propertyNames",
    }
)
"""Schemas that are `true` where they are absent."""
_PLAIN = frozenset({"$schema", "deprecated", "readOnly", "writeOnly", "$vocabulary"})
_NARROWER = {("number", "integer")}


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """One change at a JSON pointer within the schema; None stands for what is not there."""

    kind: ChangeKind
    pointer: str
    before: Json
    after: Json


def schema_changes(before: Json, after: Json, pointer: str = "") -> Iterator[SchemaChange]:
    """Yield the changes between two canonical schemas. An absent schema is `true`.

    A change that cannot be told to narrow counts as widening: the right kind or a stricter one.
    """
    if _same(before, after):
        return
    old, new = _as_schema(before), _as_schema(after)
    if isinstance(old, bool) or isinstance(new, bool):
        yield from _of_boolean(old, new, pointer)
        return
    if not isinstance(old, dict) or not isinstance(new, dict):
        yield SchemaChange(_TEXT if _has_text(new) else _WIDER, pointer, before, after)
        return
    old, new = _aligned(old, new), _aligned(new, old)
    for keyword in sorted(old.keys() | new.keys()):
        was, now = old.get(keyword, _GONE), new.get(keyword, _GONE)
        if not _same(was, now):
            yield from _of_keyword(keyword, was, now, f"{pointer}/{escape(keyword)}")


_GONE: Json = "\0gone"


def escape(token: str) -> str:
    """Write a member's name as a token of a JSON pointer (RFC 6901)."""
    return token.replace("~", "~0").replace("/", "~1")


def _of_boolean(old: Json, new: Json, pointer: str) -> Iterator[SchemaChange]:
    """Compare where one side is a boolean schema. `{}` is `true`."""
    old, new = (True if each == {} else each for each in (old, new))
    if old is new or (old is True and new is True):
        return
    if isinstance(new, dict) and old is True:
        yield SchemaChange(_TEXT if _has_text(new) else _OTHER, pointer, old, new)
    else:
        yield SchemaChange(_OTHER if new is False else _WIDER, pointer, old, new)


def _aligned(schema: dict[str, Json], other: dict[str, Json]) -> dict[str, Json]:
    """Write types as branches again, where the other side has branches and no types."""
    if "type" not in schema or "anyOf" in schema or "anyOf" not in other or "type" in other:
        return schema
    named = schema["type"]
    branches: list[Json] = [{"type": each} for each in (named if isinstance(named, list) else [named])]
    return {**{key: value for key, value in schema.items() if key != "type"}, "anyOf": branches}


def _of_keyword(keyword: str, was: Json, now: Json, pointer: str) -> Iterator[SchemaChange]:
    gone, new = was is not _GONE and now is _GONE, was is _GONE
    before, after = (None if each is _GONE else each for each in (was, now))
    if keyword in _OPEN:
        yield from schema_changes(True if new else was, True if gone else now, pointer)
    elif keyword in {"properties", "patternProperties", "$defs", "definitions"}:
        yield from _of_map(keyword, before, after, pointer)
    elif keyword in {"anyOf", "oneOf", "allOf", "prefixItems"}:
        yield from _of_branches(keyword, before, after, pointer, gone=gone, new=new)
    elif keyword in _OPAQUE:
        yield SchemaChange(_WIDER, pointer, before, after)
    elif keyword in _CONSTRAINTS:
        kind = _OTHER if new or (keyword == "uniqueItems" and now is True) else _WIDER
        yield SchemaChange(kind, pointer, before, after)
    elif keyword in _LIMITS:
        yield SchemaChange(_of_limit(keyword, was, now), pointer, before, after)
    elif keyword == "type":
        yield SchemaChange(_of_types(was, now), pointer, before, after)
    elif keyword == "enum":
        yield SchemaChange(_of_enum(was, now), pointer, before, after)
    elif keyword == "required":
        yield SchemaChange(_WIDER, pointer, before, after)
    elif keyword in _PLAIN:
        yield SchemaChange(_TEXT if keyword == "$schema" else _OTHER, pointer, before, after)
    else:
        text = _has_text(before) or _has_text(after)
        yield SchemaChange(_TEXT if text else _OTHER, pointer, before, after)


def _of_map(keyword: str, before: Json, after: Json, pointer: str) -> Iterator[SchemaChange]:
    """Compare named schemas: a new parameter asks for more; the name of a new definition is a text."""
    if not isinstance(before, dict | None) or not isinstance(after, dict | None):
        yield SchemaChange(_WIDER, pointer, before, after)
        return
    old, new = before or {}, after or {}
    if not old and not new:
        yield SchemaChange(_OTHER, pointer, before, after)
    gained = _TEXT if keyword in {"$defs", "definitions"} else _WIDER
    lost = _WIDER if keyword == "patternProperties" else _OTHER
    for name in sorted(old.keys() | new.keys()):
        below = f"{pointer}/{escape(name)}"
        if name not in old:
            yield SchemaChange(gained, below, None, new[name])
        elif name not in new:
            yield SchemaChange(lost, below, old[name], None)
        else:
            yield from schema_changes(old[name], new[name], below)


def _of_branches(
    keyword: str, before: Json, after: Json, pointer: str, *, gone: bool, new: bool
) -> Iterator[SchemaChange]:
    """Compare branches: what is alike is taken out first, then the rest in order."""
    if not isinstance(before, list | None) or not isinstance(after, list | None):
        yield SchemaChange(_WIDER, pointer, before, after)
        return
    if gone or new:
        text = new and _has_text(after)
        yield SchemaChange(_TEXT if text else _OTHER if new else _WIDER, pointer, before, after)
        return
    old_rest, new_rest = _unlike(before or [], after or [])
    if not old_rest and not new_rest:
        yield SchemaChange(_WIDER if keyword == "prefixItems" else _OTHER, pointer, before, after)
    for (_, was), (place, now) in zip(old_rest, new_rest, strict=False):
        yield from schema_changes(was, now, f"{pointer}/{place}")
    conjunctive = keyword in {"allOf", "prefixItems"}
    for place, was in old_rest[len(new_rest) :]:
        yield SchemaChange(_WIDER if conjunctive else _OTHER, f"{pointer}/{place}", was, None)
    for place, now in new_rest[len(old_rest) :]:
        kind = _TEXT if conjunctive and _has_text(now) else _OTHER if conjunctive else _WIDER
        yield SchemaChange(kind, f"{pointer}/{place}", None, now)


def _unlike(old: list[Json], new: list[Json]) -> tuple[list[tuple[int, Json]], list[tuple[int, Json]]]:
    """Take out the branches that both lists have, and give the others with their places."""
    waiting: dict[bytes, int] = {}
    for item in new:
        waiting[canonical_json(item)] = waiting.get(canonical_json(item), 0) + 1
    old_rest = []
    for place, item in enumerate(old):
        key = canonical_json(item)
        if waiting.get(key, 0):
            waiting[key] -= 1
        else:
            old_rest.append((place, item))
    new_rest = []
    for place, item in reversed(list(enumerate(new))):
        key = canonical_json(item)
        if waiting.get(key, 0):
            waiting[key] -= 1
            new_rest.append((place, item))
    return old_rest, new_rest[::-1]


def _of_limit(keyword: str, was: Json, now: Json) -> ChangeKind:
    """Say whether a limit lets more in: dropped, no number any more, or moved outwards."""
    if was is _GONE:
        return _OTHER if _is_number(now) else _WIDER
    if not isinstance(was, int | float) or not isinstance(now, int | float) or not _is_number(now):
        return _WIDER
    if keyword == "multipleOf":
        return _OTHER if was > 0 and now % was == 0 else _WIDER
    return _OTHER if (now < was if keyword in _UPPER else now > was) else _WIDER


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _of_types(was: Json, now: Json) -> ChangeKind:
    if was is _GONE:
        return _OTHER
    if now is _GONE:
        return _WIDER
    old, new = _type_set(was), _type_set(now)
    if old is None or new is None:
        return _WIDER
    allowed = old | {narrow for wide, narrow in _NARROWER if wide in old}
    return _OTHER if new <= allowed else _WIDER


def _type_set(value: Json) -> set[str] | None:
    items = value if isinstance(value, list) else [value]
    names = {item for item in items if isinstance(item, str)}
    return names if names and len(names) == len(items) else None


def _of_enum(was: Json, now: Json) -> ChangeKind:
    if not isinstance(now, list):
        return _WIDER
    if was is _GONE:
        return _TEXT if _has_text(now) else _OTHER
    if not isinstance(was, list):
        return _WIDER
    known = {canonical_json(item) for item in was}
    return _OTHER if all(canonical_json(item) in known for item in now) else _WIDER


def _as_schema(value: Json) -> Json:
    return True if value is None else value


def _same(left: Json, right: Json) -> bool:
    """Equality that tells `true` from `1` and `1` from `1.0`."""
    return left is right or canonical_json(left) == canonical_json(right)


def _has_text(value: Json) -> bool:
    """Whether a value holds a string that a model may read as text."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str) and item:
            return True
        if isinstance(item, dict):
            stack.extend(
                member for name, member in item.items() if name not in {"type", "$ref", "format", "$schema"}
            )
        elif isinstance(item, list):
            stack.extend(item)
    return False
