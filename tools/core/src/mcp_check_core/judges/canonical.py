"""The canonical form of a tool definition: equal for what means the same, whoever sent it in which era.

Left out is what varies without a change between SDKs and eras: keys of frameworks in `_meta`, an `execution`
that forbids tasks, the dialect's name, titles that a framework makes of names. Put in one order is what has
none: `required`, types, and the branches of `anyOf`, `oneOf` and `allOf`. Texts stay as they were sent.
"""

import hashlib
from dataclasses import dataclass

from mcp_check_core.judges.shape import depth
from mcp_check_core.model.json_value import Json, canonical_json

DEPTH_BOUND = 64
"""Levels of a definition that are read; a deeper one is its own canonical form."""
_FRAMEWORK_META = frozenset({"fastmcp", "_fastmcp"})
_DIALECTS = frozenset(
    {
        "http://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft/2020-12/schema",
    }
)
_SCHEMA_LISTS = ("anyOf", "oneOf", "allOf")
_SCHEMA_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_SCHEMAS = (
    "items", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "additionalItems",
    "contains", "propertyNames", "not", "if", "then", "else",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DefinitionHashes:
    """SHA-256 in hex over canonical JSON. `content`: description and input schema; `whole`: all of it."""

    content: str
    description: str
    schema: str
    annotations: str
    whole: str


def canonical_definition(raw: Json) -> Json:
    """Give the canonical form of an entry of `tools/list`; what is no object, or too deep, stays as it is."""
    if not isinstance(raw, dict) or depth(raw, DEPTH_BOUND) > DEPTH_BOUND:
        return raw
    name = raw.get("name")
    words = name if isinstance(name, str) else ""
    form: dict[str, Json] = {}
    for key, value in raw.items():
        kept = _member(key, value, words)
        if kept is not _ABSENT:
            form[key] = kept
    return form


def definition_hashes(raw: Json) -> DefinitionHashes:
    """Hash the canonical form of one tool definition."""
    form = canonical_definition(raw)
    fields = form if isinstance(form, dict) else {}
    description, schema = fields.get("description"), fields.get("inputSchema")
    return DefinitionHashes(
        content=_hash([description, schema]),
        description=_hash(description),
        schema=_hash(schema),
        annotations=_hash(fields.get("annotations")),
        whole=_hash(form),
    )


def canonical_schema(schema: Json, name: str = "") -> Json:
    """Give the canonical form of a schema; `name` is what it belongs to, for titles made of names."""
    if not isinstance(schema, dict):
        return schema
    form: dict[str, Json] = {}
    for key, value in schema.items():
        form[key] = _keyword(key, value)
    if _is_generated(form.get("title"), name):
        del form["title"]
    if isinstance(form.get("$schema"), str) and str(form["$schema"]).rstrip("#") in _DIALECTS:
        del form["$schema"]
    form.pop("x-fastmcp-wrap-result", None)
    return _with_types(form)


_ABSENT = "\0absent"


def _member(key: str, value: Json, name: str) -> Json:
    """Give the canonical value of a member of a definition, or the mark that it is left out."""
    match key:
        case "inputSchema" | "outputSchema":
            return canonical_schema(value, name)
        case "_meta" if isinstance(value, dict):
            kept = {each: member for each, member in value.items() if each not in _FRAMEWORK_META}
            return kept or _ABSENT
        case "execution" if value in ({}, {"taskSupport": "forbidden"}, None):
            return _ABSENT
        case "title" if _is_generated(value, name):
            return _ABSENT
        case _:
            return value


def _keyword(key: str, value: Json) -> Json:
    if key in _SCHEMA_MAPS and isinstance(value, dict):
        return {name: canonical_schema(member, name) for name, member in value.items()}
    if key in _SCHEMAS and isinstance(value, dict):
        return canonical_schema(value)
    if key == "prefixItems" and isinstance(value, list):
        return [canonical_schema(item) for item in value]
    if key in _SCHEMA_LISTS and isinstance(value, list):
        return sorted((canonical_schema(item) for item in value), key=canonical_json)
    if key == "required" and isinstance(value, list):
        return sorted(value, key=canonical_json)
    if key == "type" and isinstance(value, list):
        return _types(value)
    return value


def _types(value: list[Json]) -> Json:
    kept = sorted(value, key=canonical_json)
    return kept[0] if len(kept) == 1 and isinstance(kept[0], str) else list(kept)


def _with_types(form: dict[str, Json]) -> dict[str, Json]:
    """Write an `anyOf` of bare types as a list of types, where nothing else speaks of types."""
    branches = form.get("anyOf")
    if not isinstance(branches, list) or "type" in form or not branches:
        return form
    types: list[Json] = []
    for branch in branches:
        if not isinstance(branch, dict) or set(branch) != {"type"}:
            return form
        named = branch["type"]
        types.extend(named if isinstance(named, list) else [named])
    if len({canonical_json(each) for each in types}) != len(types):
        return form
    rest: dict[str, Json] = {key: value for key, value in form.items() if key != "anyOf"}
    return {**rest, "type": _types(types)}


def _is_generated(title: Json, name: str) -> bool:
    """Whether a title is the name in other letters, or what frameworks put behind it (`addArguments`)."""
    if not isinstance(title, str) or not name:
        return False
    plain = _plain(title)
    return plain in {
        _plain(name),
        _plain(name) + "arguments",
        _plain(name) + "output",
        _plain(name) + "dictoutput",
    }


def _plain(text: str) -> str:
    return text.replace("_", "").replace("-", "").replace(" ", "").casefold()


def _hash(value: Json) -> str:
    return hashlib.sha256(canonical_json(value)).hexdigest()
