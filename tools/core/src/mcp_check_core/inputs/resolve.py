"""Bring a schema into the form that values are made from: references followed, allOf merged."""

from collections.abc import Callable, Mapping

from mcp_check_core.inputs.limits import ARRAY_ITEMS, BRANCHES, OBJECT_MEMBERS, Budget, CannotMakeError
from mcp_check_core.judges.schema_cost import resolve_local
from mcp_check_core.judges.shape import depth
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json, canonical_json, json_type

Schema = Mapping[str, Json]
_MERGED = 50
"""Members of one allOf, and levels of allOf in allOf, that are merged."""
_COMPARED_LEVELS = 20
"""Nesting of the members of an enum that are compared."""


def resolve(schema: Json, root: Json, budget: Budget, levels: int = _MERGED) -> Schema:
    """Follow `$ref` and merge `allOf` at the top of a schema. Raises CannotMakeError.

    What a reference has beside it is merged with its target (2020-12). `true` is the empty schema.
    """
    budget.step()
    if schema is True:
        return {}
    if schema is False:
        raise CannotMakeError("its schema is false, which allows nothing")
    if not isinstance(schema, dict):
        raise CannotMakeError(f"its schema is {json_type(schema)}, not an object")
    if levels == 0:
        raise CannotMakeError(f"its schema combines more than {_MERGED} levels of references and allOf")
    if "$ref" not in schema and "allOf" not in schema:
        return schema
    own: Schema = {name: member for name, member in schema.items() if name not in ("$ref", "allOf")}
    if "$ref" in schema:
        own = merge(resolve(_target(schema["$ref"], root), root, budget, levels - 1), own, budget)
    parts = schema.get("allOf")
    if isinstance(parts, list):
        for part in parts[:_MERGED]:
            own = merge(own, resolve(part, root, budget, levels - 1), budget)
    return own


def reference(schema: Json) -> str | None:
    """Give the reference of a schema, if it is one."""
    target = schema.get("$ref") if isinstance(schema, dict) else None
    return target if isinstance(target, str) else None


def merge(first: Schema, second: Schema, budget: Budget) -> Schema:
    """Combine two schemas that must both hold, as far as making a value needs it."""
    merged = dict(first)
    for name, member in second.items():
        budget.step(1 + _size(member) // 100)
        if name in merged and name in _COMBINE:
            merged[name] = _COMBINE[name](merged[name], member)
        elif name in merged and name in ("anyOf", "oneOf"):
            merged[name] = _nested(name, merged[name], member)
        else:
            merged[name] = member
    return merged


def _size(member: Json) -> int:
    return len(member) if isinstance(member, dict | list) else 0


def _target(target: Json, root: Json) -> Json:
    if not isinstance(target, str):
        raise CannotMakeError(f"its $ref is {json_type(target)}, not a string")
    found = resolve_local(root, target)
    if found is None:
        raise CannotMakeError(f"it refers to {cut_text(target, 100)!r}, which is not looked up or not there")
    return found


def _nested(name: str, first: Json, second: Json) -> Json:
    """Combine two lists of branches: each one of the first with all of the second."""
    if not isinstance(first, list):
        return second
    return [{"allOf": [branch, {name: second}]} for branch in first[:BRANCHES]]


def _objects(first: Json, second: Json) -> Json:
    if not isinstance(first, dict) or not isinstance(second, dict):
        return second
    joined = dict(first)
    for name, member in second.items():
        joined[name] = {"allOf": [joined[name], member]} if name in joined else member
    return joined


def _both(first: Json, second: Json) -> Json:
    """Join two `required`; more than can be sent are not joined, only more than that."""
    if not isinstance(first, list) or not isinstance(second, list):
        return second
    kept = [name for name in (*first, *second)[: 2 * OBJECT_MEMBERS] if isinstance(name, str)]
    return list(dict.fromkeys(kept))


def _common(first: Json, second: Json) -> Json:
    """Intersect two `type` or `enum` members; a lone type stands for a list of one."""
    left, right = _members(first), {_key(item) for item in _members(second)}
    return [item for item in left if _key(item) in right]


def _members(value: Json) -> list[Json]:
    return value[:ARRAY_ITEMS] if isinstance(value, list) else [value]


def _key(value: Json) -> bytes:
    """Give what equal values have in common; values nested too deep to be compared are all equal."""
    return b"" if depth(value, _COMPARED_LEVELS) > _COMPARED_LEVELS else canonical_json(value)


def _greater(first: Json, second: Json) -> Json:
    return max(first, second) if _number(first) and _number(second) else second  # type: ignore[type-var]


def _smaller(first: Json, second: Json) -> Json:
    return min(first, second) if _number(first) and _number(second) else second  # type: ignore[type-var]


def _number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_COMBINE: Mapping[str, Callable[[Json, Json], Json]] = {
    "properties": _objects,
    "patternProperties": _objects,
    "required": _both,
    "type": _common,
    "enum": _common,
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), _greater),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), _smaller),
}
