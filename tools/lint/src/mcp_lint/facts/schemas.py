"""Whether a JSON Schema is one by the rules of its own dialect, and whether values fit it."""

from mcp_check_core.judges.schema import Dialect, Judgement, SchemaFault, SchemaValidator, compile_schema
from mcp_check_core.model.json_value import Json
from mcp_lint.facts.frozen import thawed
from mcp_lint.facts.revisions import has_default_dialect
from mcp_lint.facts.subschemas import subschemas

_SHARED = ("$defs", "definitions", "$schema")
"""Members of a root that its subschemas may need to be judged alone."""


def compiled(schema: Json, protocol: str | None) -> SchemaValidator:
    """Compile a schema as the revision reads it.

    Before 2025-11-25 no dialect was the default, so that a schema which names none may be of draft-07 too.
    """
    plain = thawed(schema)
    validator = compile_schema(plain)
    if not validator.faults or has_default_dialect(protocol) or _names_dialect(plain):
        return validator
    older = compile_schema(plain, Dialect.DRAFT_7)
    return validator if older.faults else older


def first_fault(validator: SchemaValidator) -> SchemaFault | None:
    """Give the first way in which a schema breaks the rules of its dialect, None if it breaks none."""
    return validator.faults[0] if validator.faults else None


def breaks(root: Json, schema: dict[str, Json], value: Json, protocol: str | None) -> bool:
    """Whether a value is invalid by a subschema of `root`; False where that cannot be told."""
    needed = _SHARED if _refers(schema) else ("$schema",)
    shared = {word: root[word] for word in needed if isinstance(root, dict) and word in root}
    return compiled({**shared, **schema}, protocol).judge(thawed(value)) is Judgement.INVALID


def _refers(schema: dict[str, Json]) -> bool:
    return any("$ref" in one.schema for one in subschemas(schema))


def _names_dialect(schema: Json) -> bool:
    return isinstance(schema, dict) and "$schema" in schema
