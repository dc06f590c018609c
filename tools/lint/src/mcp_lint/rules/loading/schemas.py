"""S9, second half: the schemas, what they require, and their defaults."""

from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_text, cut_value
from mcp_check_core.model.finding import Finding, Location, Severity
from mcp_check_core.model.json_value import Json, json_type
from mcp_check_core.model.tool import ToolDefinition
from mcp_lint.facts.pointers import pointer
from mcp_lint.facts.references import unresolved
from mcp_lint.facts.revisions import is_modern
from mcp_lint.facts.schemas import breaks, compiled, first_fault
from mcp_lint.facts.subschemas import subschemas
from mcp_lint.rules.loading.rule import LoadingFault, fault

_INPUT, _OUTPUT = "inputSchema", "outputSchema"
_ADDS_PROPERTIES = (
    "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas",
    "unevaluatedProperties",
)  # fmt: skip
"""Keywords beside `properties` that may describe a parameter."""
_LABEL = 80


def judge_schemas(tool: ToolDefinition, protocol: str | None) -> Iterator[Finding]:
    """Judge the input schema of a tool and, where there is one, its output schema."""
    for member in (_INPUT, _OUTPUT):
        if member not in tool.fields:
            if member == _INPUT:
                yield fault(
                    LoadingFault.SCHEMA_MISSING,
                    "It has no inputSchema.",
                    'Send {"type": "object"} where a tool takes no arguments.',
                    location=Location(tool=tool.label, pointer=f"/{member}"),
                )
            continue
        schema = tool.fields[member]
        if not isinstance(schema, dict):
            yield fault(
                LoadingFault.SCHEMA_NOT_OBJECT,
                f"Its {member} is {json_type(schema)}, not an object.",
                f"Send an object schema as {member}, or leave an outputSchema out.",
                location=Location(tool=tool.label, pointer=f"/{member}"),
                key=member,
            )
            continue
        yield from _schema(tool, member, schema, protocol)


def _schema(
    tool: ToolDefinition, member: str, schema: dict[str, Json], protocol: str | None
) -> Iterator[Finding]:
    if schema.get("type") != "object" and not is_modern(protocol):
        yield fault(
            LoadingFault.ROOT_TYPE,
            f'The root of its {member} is not of "type": "object".',
            'Put "type": "object" at the root; alternatives belong into a property.',
            location=Location(tool=tool.label, pointer=f"/{member}/type"),
            key=member,
            evidence={
                "type": cut_value(schema.get("type")),
                "keywords": [cut_text(word, 40) for word in [*schema][:10]],
            },
        )
    broken = first_fault(compiled(schema, protocol))
    if broken is not None:
        yield fault(
            LoadingFault.SCHEMA_INVALID,
            f"Its {member} is no valid JSON Schema: {broken.message}.",
            "Mend the keyword that is named; the dialect is 2020-12 unless $schema names another.",
            location=Location(tool=tool.label, pointer=f"/{member}{broken.pointer}"),
            key=member,
        )
    yield from _references(tool, member, schema)
    if member == _INPUT:
        yield from _required(tool, schema)
        if broken is None:
            yield from _defaults(tool, schema, protocol)


def _references(tool: ToolDefinition, member: str, schema: dict[str, Json]) -> Iterator[Finding]:
    for one in unresolved(schema):
        target = cut_text(one.target, 100)
        leads = "out of the schema" if one.outside else "to nothing in the schema"
        yield fault(
            LoadingFault.REMOTE_REF if one.outside else LoadingFault.UNRESOLVED_REF,
            f"The reference {target!r} in its {member} leads {leads}.",
            "Put what it names into $defs of the same schema, or write it in place of the reference.",
            severity=Severity.WARNING if one.outside else Severity.ERROR,
            location=Location(tool=tool.label, pointer=f"/{member}{one.pointer}"),
            key=f"{member} {target}",
        )


def _required(tool: ToolDefinition, schema: dict[str, Json]) -> Iterator[Finding]:
    if any(word in schema for word in _ADDS_PROPERTIES):
        return
    for name in dict.fromkeys(tool.required):
        if name not in tool.properties:
            yield fault(
                LoadingFault.REQUIRED_UNDECLARED,
                f"It requires {cut_text(name, _LABEL)!r}, which its properties do not declare.",
                "Declare the parameter under properties, or take it out of required.",
                location=Location(
                    tool=tool.label, parameter=cut_text(name, _LABEL), pointer="/inputSchema/required"
                ),
            )


def _defaults(tool: ToolDefinition, schema: dict[str, Json], protocol: str | None) -> Iterator[Finding]:
    for one in subschemas(schema):
        if "default" not in one.schema or not breaks(schema, one.schema, one.schema["default"], protocol):
            continue
        value = one.schema["default"]
        null = value is None
        place = pointer(*one.path)
        parameter = str(one.path[1]) if one.path[:1] == ("properties",) and len(one.path) > 1 else None
        yield fault(
            LoadingFault.NULL_DEFAULT if null else LoadingFault.DEFAULT_INVALID,
            "Its default is null, which its own schema forbids."
            if null
            else f"Its default {cut_text(repr(cut_value(value)), _LABEL)} is invalid by its own schema.",
            "Leave the default out, or allow null in the type."
            if null
            else "Make the default a value that the schema allows.",
            location=Location(
                tool=tool.label,
                parameter=cut_text(parameter, _LABEL) if parameter else None,
                pointer=f"/inputSchema{place}/default",
            ),
            key=place,
            evidence={"schema": cut_value(one.schema)},
        )
