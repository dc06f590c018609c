"""Say whether arguments keep to a tool's input schema, or that the schema cannot be used to tell."""

from collections.abc import Mapping

import jsonschema_rs

from mcp_check_core.model.json_value import Json, json_type
from mcp_fuzz.facts.case import Validity

MAX_LEVELS = 120
"""Nesting of a schema that is compiled; the compiler itself ends at 127."""
MAX_NODES = 100_000
"""Members and items of a schema that is compiled; a schema of that size takes about 0.1 s."""


class Judge:
    """A compiled schema; `problem` says in a few words why it could not be compiled, None where it could.

    Patterns run in linear time and no reference is fetched. A format is an annotation, not a rule
    (JSON Schema 2020-12).
    """

    def __init__(self, schema: Json) -> None:
        """Compile a schema by the dialect that it names, else by 2020-12. Never raises for the schema."""
        self._validator: jsonschema_rs.Validator | None = None
        self.problem = shape_problem(schema)
        if self.problem is None and isinstance(schema, dict | bool):
            self._compile(schema)

    def judge(self, value: Json) -> Validity:
        """Judge a value."""
        if self._validator is None:
            return Validity.UNKNOWN
        try:
            return Validity.VALID if self._validator.is_valid(value) else Validity.INVALID
        except (ValueError, OverflowError):
            return Validity.UNKNOWN

    def _compile(self, schema: Mapping[str, Json] | bool) -> None:
        try:
            self._validator = jsonschema_rs.validator_for(
                schema if isinstance(schema, bool) else dict(schema),
                validate_formats=False,
                retriever=_refuse,
                pattern_options=jsonschema_rs.RegexOptions(),
            )
        except (ValueError, OverflowError, TypeError) as problem:
            first = (str(problem).splitlines() or [""])[0]
            self.problem = f"the input schema cannot be compiled: {first[:200]}"


def matches(text: str, pattern: str) -> bool:
    """Tell whether a pattern of a schema is found in a text, in linear time; False for an unusable one."""
    return Judge({"type": "string", "pattern": pattern}).judge(text) is Validity.VALID


def shape_problem(schema: Json) -> str | None:
    """Say why a schema cannot even be handed to the compiler: of another type, too deep, too large."""
    if schema is None:
        return "there is no input schema"
    if not isinstance(schema, dict | bool):
        return f"the input schema is {json_type(schema)}, not an object"
    nodes = 0
    level: list[Json] = [schema]
    for _ in range(MAX_LEVELS):
        level = [child for node in level for child in _children(node)]
        nodes += len(level)
        if nodes > MAX_NODES:
            return f"the input schema has more than {MAX_NODES} members and items"
        if not level:
            return None
    return f"the input schema is nested deeper than {MAX_LEVELS} levels"


def _children(node: Json) -> list[Json]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []


def _refuse(uri: str) -> None:
    raise LookupError(f"references are not fetched: {uri[:200]}")
