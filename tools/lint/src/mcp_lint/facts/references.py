"""The `$ref`s of a JSON Schema that lead nowhere within it."""

from collections.abc import Iterator
from dataclasses import dataclass

from mcp_check_core.judges.schema_cost import resolve_local
from mcp_check_core.model.json_value import Json
from mcp_lint.facts.pointers import pointer
from mcp_lint.facts.subschemas import Subschema, subschemas

_META = ("http://json-schema.org/", "https://json-schema.org/")


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A reference: where it stands and what it names. `outside`: it leaves the document."""

    pointer: str
    target: str
    outside: bool


def unresolved(schema: Json) -> Iterator[Unresolved]:
    """Yield the references that a client cannot follow; those to published meta-schemas count as resolved.

    A schema with an `$id` below its root is left alone: references in it are relative to that.
    """
    known = list(subschemas(schema))
    if any("$id" in one.schema and one.path for one in known):
        return
    anchors = {name for one in known for name in _anchors(one)}
    base = str(schema.get("$id", "")).partition("#")[0] if isinstance(schema, dict) else ""
    for one in known:
        target = one.schema.get("$ref")
        if not isinstance(target, str):
            continue
        document, _, fragment = target.partition("#")
        if document and document != base:
            if not document.startswith(_META):
                yield Unresolved(pointer(*one.path, "$ref"), target, outside=True)
        elif fragment not in anchors and _leads_nowhere(schema, fragment):
            yield Unresolved(pointer(*one.path, "$ref"), target, outside=False)


def _anchors(one: Subschema) -> Iterator[str]:
    for word in ("$anchor", "$dynamicAnchor"):
        if isinstance(name := one.schema.get(word), str):
            yield name


def _leads_nowhere(schema: Json, fragment: str) -> bool:
    found = resolve_local(schema, f"#{fragment}")
    return not isinstance(found, dict | bool)
