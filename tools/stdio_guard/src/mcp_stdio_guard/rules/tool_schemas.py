"""The schemas in tool definitions: one invalid schema makes whole lists unreadable to strict clients."""

from collections.abc import Generator, Iterator

from mcp_check_core.model.bounds import cut_text, cut_value
from mcp_check_core.model.defects import SCHEMA_INVALID
from mcp_check_core.model.finding import Finding, Location, Severity
from mcp_check_core.model.json_value import Json, json_type
from mcp_check_core.model.tool import ToolDefinition
from mcp_stdio_guard.facts.references import Reference, unresolved
from mcp_stdio_guard.facts.run import RunFacts
from mcp_stdio_guard.facts.schemas import judge_schema
from mcp_stdio_guard.rules.declare import (
    Abstention,
    Block,
    CheckName,
    Count,
    Declared,
    IssueClass,
    Judgement,
    declare,
    not_applicable,
)

_TOOL = "MCP specification, server features: tools, data types"


def _declare(
    code: str, title: str, kinds: tuple[str, ...] = (), defect: str | None = SCHEMA_INVALID, *references: str
) -> Declared:
    return declare(
        code,
        title,
        Severity.ERROR,
        IssueClass.MCP_PROTOCOL,
        CheckName.TOOL_SCHEMA,
        kinds=kinds,
        defect=defect,
        references=(_TOOL, *references),
    )


INPUT = _declare(
    "tool-input-schema-invalid",
    "An input schema is missing, no object schema, or not valid for its dialect",
    ("missing", "not-an-object", "root-type", "dialect"),
    SCHEMA_INVALID,
    "kaeawc/auto-mobile issue 973",
)
OUTPUT = _declare(
    "tool-output-schema-invalid",
    "An output schema is no object schema or not valid for its dialect",
    ("not-an-object", "root-type", "dialect"),
)
REQUIRED = _declare(
    "tool-input-schema-required-missing",
    "A required parameter is not described",
    ("undescribed", "unsatisfiable"),
    None,
    "JSON Schema: required, properties",
)
REFERENCE = _declare(
    "tool-schema-unresolved-ref",
    "A reference in a schema leads nowhere",
    ("missing", "remote"),
    SCHEMA_INVALID,
    "modelcontextprotocol/typescript-sdk issue 1175",
)
_DECLARED = (INPUT, OUTPUT, REQUIRED, REFERENCE)
_ADDS_PROPERTIES = (
    "$ref",
    "$dynamicRef",
    "allOf",
    "anyOf",
    "oneOf",
    "if",
    "patternProperties",
    "dependentSchemas",
)
"""Keywords beside `properties` that may describe a parameter."""
_MEMBERS = (("inputSchema", INPUT), ("outputSchema", OUTPUT))


def judge(run: RunFacts) -> Iterator[Judgement]:
    """Judge the schemas of each tool; one that cannot be judged is said to be so."""
    tools = [tool for tool in run.tools if isinstance(tool.raw, dict)]
    if not tools:
        yield from not_applicable(_DECLARED, "no tool definitions were listed")
        return
    judged = dict.fromkeys((INPUT, OUTPUT), 0)
    for tool in tools:
        for member, declared in _MEMBERS:
            unknown = yield from _schema(tool, member, declared)
            judged[declared] += not unknown
        yield from _required(tool)
        yield from _references(tool)
    for declared, count in judged.items():
        yield Count(declared.rule.id, count, len(tools))
    yield from (Count(one.rule.id, len(tools), len(tools)) for one in (REQUIRED, REFERENCE))
    if all("outputSchema" not in tool.fields for tool in tools):
        yield from not_applicable((OUTPUT,), "no tool has an output schema")


def _schema(tool: ToolDefinition, member: str, declared: Declared) -> Generator[Judgement, None, bool]:
    """Judge one schema; returns whether that could not be told."""
    at = Location(tool=tool.label, pointer=f"/{member}")
    schema = tool.fields.get(member)
    if member not in tool.fields or (schema is None and member == "outputSchema"):
        if declared is INPUT:
            yield INPUT.finding(
                f"The tool {tool.label!r} has no inputSchema.",
                kind="missing",
                location=at,
                hint='Send {"type": "object"} where a tool takes no arguments.',
            )
        return False
    if not isinstance(schema, dict):
        yield declared.finding(
            f"{member} of {tool.label!r} is {json_type(schema)}, not an object.",
            kind="not-an-object",
            location=at,
            hint="Send a JSON Schema of type object.",
            evidence={member: cut_value(schema)},
        )
        return False
    verdict = judge_schema(schema)
    if verdict.unknown is not None:
        reason = f"{member} of {tool.label!r} cannot be judged: {verdict.unknown}"
        yield Abstention(declared.rule.id, reason, unknown=True)
        return True
    if verdict.fault is not None:
        yield declared.finding(
            f"{member} of {tool.label!r} is not valid JSON Schema: {cut_text(verdict.fault, 160)}.",
            key=member,
            kind="dialect",
            location=Location(tool=tool.label, pointer=f"/{member}{verdict.pointer}"),
            hint="Mend the schema at that place; strict clients drop the tool or the whole list.",
        )
    elif schema.get("type") != "object":
        yield _root_type(tool, member, declared, schema)
    return False


def _root_type(tool: ToolDefinition, member: str, declared: Declared, schema: dict[str, Json]) -> Finding:
    kind = schema.get("type")
    seen = f"type {kind if isinstance(kind, str) else json_type(kind)}" if "type" in schema else "no type"
    return declared.finding(
        f"{member} of {tool.label!r} has {seen} at its root, where the protocol wants object.",
        kind="root-type",
        location=Location(tool=tool.label, pointer=f"/{member}"),
        hint='Put "type": "object" at the root; clients of the SDKs refuse the whole list otherwise.',
        evidence={"root": cut_value({name: schema[name] for name in list(schema)[:10]}, depth=2)},
    )


def _required(tool: ToolDefinition) -> Iterator[Judgement]:
    schema = tool.input_schema
    if not isinstance(schema, dict) or any(keyword in schema for keyword in _ADDS_PROPERTIES):
        return
    closed = schema.get("additionalProperties") is False
    for name in dict.fromkeys(tool.required):
        if name not in tool.properties:
            yield REQUIRED.finding(
                f"{tool.label!r} requires {cut_text(name, 80)!r}, which its properties do not describe"
                + (" and additionalProperties forbids, so no call can be valid." if closed else "."),
                kind="unsatisfiable" if closed else "undescribed",
                severity=None if closed else Severity.WARNING,
                location=Location(
                    tool=tool.label, parameter=cut_text(name, 80), pointer="/inputSchema/required"
                ),
                hint="Describe the parameter under properties, or take it out of required.",
            )


def _references(tool: ToolDefinition) -> Iterator[Judgement]:
    for member, _ in _MEMBERS:
        schema = tool.fields.get(member)
        if not isinstance(schema, dict):
            continue
        missing, remote = unresolved(schema)
        for kind, found in (("missing", missing), ("remote", remote)):
            if found:
                yield _reference(tool, member, kind, found)


def _reference(tool: ToolDefinition, member: str, kind: str, found: list[Reference]) -> Finding:
    first = found[0]
    target = cut_text(first.target, 100)
    more = f" ({len(found)} such references)" if len(found) > 1 else ""
    what = (
        "leads to nothing in the schema"
        if kind == "missing"
        else "leads out of the schema, and is never fetched"
    )
    return REFERENCE.finding(
        f"The reference {target!r} in {member} of {tool.label!r} {what}{more}.",
        key=member,
        kind=kind,
        severity=None if kind == "missing" else Severity.WARNING,
        location=Location(tool=tool.label, pointer=f"/{member}{first.pointer}"),
        hint="Put the definition into $defs of the same schema, or write it in place of the reference.",
        evidence={"references": [cut_text(one.target, 100) for one in found[:5]]},
    )


BLOCK = Block(_DECLARED, judge)
