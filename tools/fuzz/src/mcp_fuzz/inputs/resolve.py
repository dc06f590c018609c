"""Bring a schema into the form that values are made from: references followed, allOf merged."""

from collections.abc import Callable, Mapping

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json, json_type
from mcp_fuzz.inputs.limits import Budget, CannotMakeError

Schema = Mapping[str, Json]
_MERGED = 50
"""Members of one allOf, and levels of allOf in allOf, that are merged."""


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
    own: Schema = {name: member for name, member in schema.items() if name not in ("$ref", "allOf")}
    if "$ref" in schema:
        own = merge(resolve(_target(schema["$ref"], root), root, budget, levels - 1), own)
    parts = schema.get("allOf")
    if isinstance(parts, list):
        for part in parts[:_MERGED]:
            own = merge(own, resolve(part, root, budget, levels - 1))
    return own


def reference(schema: Json) -> str | None:
    """Give the reference of a schema, if it is one."""
    target = schema.get("$ref") if isinstance(schema, dict) else None
    return target if isinstance(target, str) else None


def merge(first: Schema, second: Schema) -> Schema:
    """Combine two schemas that must both hold, as far as making a value needs it."""
    merged = dict(first)
    for name, member in second.items():
        if name in merged and name in _COMBINE:
            merged[name] = _COMBINE[name](merged[name], member)
        else:
            merged[name] = member
    return merged


def _target(target: Json, root: Json) -> Json:
    if not isinstance(target, str):
        raise CannotMakeError(f"its $ref is {json_type(target)}, not a string")
    path, hash_sign, pointer = target.partition("#")
    if path or not hash_sign:
        raise CannotMakeError(f"it refers to {cut_text(target, 100)!r}, which is not in the schema")
    place = root
    for part in pointer.split("/")[1:]:
        place = _member(place, part.replace("~1", "/").replace("~0", "~"), target)
    if pointer and not pointer.startswith("/"):
        raise CannotMakeError(f"it refers to the anchor {cut_text(target, 100)!r}, which is not looked up")
    return place


def _member(place: Json, name: str, target: str) -> Json:
    if isinstance(place, dict) and name in place:
        return place[name]
    if isinstance(place, list) and name.isdecimal() and len(name) < 8 and int(name) < len(place):
        return place[int(name)]
    raise CannotMakeError(f"it refers to {cut_text(target, 100)!r}, which is not in the schema")


def _objects(first: Json, second: Json) -> Json:
    if not isinstance(first, dict) or not isinstance(second, dict):
        return second
    joined = dict(first)
    for name, member in second.items():
        joined[name] = {"allOf": [joined[name], member]} if name in joined else member
    return joined


def _both(first: Json, second: Json) -> Json:
    if not isinstance(first, list) or not isinstance(second, list):
        return second
    return [*first, *(item for item in second if item not in first)]


def _common(first: Json, second: Json) -> Json:
    """Intersect two `type` or `enum` members; a lone type stands for a list of one."""
    left = first if isinstance(first, list) else [first]
    right = second if isinstance(second, list) else [second]
    return [item for item in left if item in right]


def _greater(first: Json, second: Json) -> Json:
    return max(first, second) if _number(first) and _number(second) else second  # type: ignore[type-var]


def _smaller(first: Json, second: Json) -> Json:
    return min(first, second) if _number(first) and _number(second) else second  # type: ignore[type-var]


def _number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_COMBINE: Mapping[str, Callable[[Json, Json], Json]] = {
    "properties": _objects,
    "required": _both,
    "type": _common,
    "enum": _common,
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), _greater),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), _smaller),
}
