"""The JSON Schema of the merged document, made from the shared envelope and kept in `schema.json`."""

from collections.abc import Iterable, Mapping, Sequence

from mcp_check_core.model.json_value import Json
from mcp_check_core.report.schema import VOLATILE, envelope_schema
from mcp_trust_check.confidence import Level
from mcp_trust_check.decision import FINDING_RULES, STATE_RULES, Decision
from mcp_trust_check.document import SCHEMA_VERSION
from mcp_trust_check.fail_on import FailOn
from mcp_trust_check.tool_state import State
from mcp_trust_check.toolset import TOOLS

_SENTENCE: dict[str, Json] = {"$ref": "#/$defs/sentence"}
_OPTIONAL_SENTENCE: dict[str, Json] = {"anyOf": [{"type": "null"}, _SENTENCE]}
_COUNT: dict[str, Json] = {"$ref": "#/$defs/count"}
_DURATION: dict[str, Json] = {"$ref": "#/$defs/duration"}
_SHARE: dict[str, Json] = {"type": ["number", "null"], "minimum": 0, "maximum": 100}
_DECISION: dict[str, Json] = {"enum": [decision.value for decision in Decision]}
_SHORT: dict[str, Json] = {"enum": [tool.short for tool in TOOLS]}
_FINGERPRINT: dict[str, Json] = {"type": "string", "pattern": "^[0-9a-f]{16}$"}
_RULES: list[Json] = [*(rule.id for rule in FINDING_RULES), *STATE_RULES]


def merged_schema(tool_schemas: Mapping[str, Mapping[str, Json]]) -> dict[str, Json]:
    """Make the schema. What is volatile in a tool's document is volatile where it is embedded too."""
    envelope = envelope_schema()
    properties, definitions = _members(envelope, "properties"), _members(envelope, "$defs")
    members: dict[str, Json] = {
        "schemaVersion": {"const": SCHEMA_VERSION},
        "tool": properties["tool"],
        "target": properties["target"],
        "decision": _DECISION,
        "reasons": _array(_reason(), "Every rule that fired, the worst first."),
        "blockerCount": _COUNT,
        "fixCount": _COUNT,
        "confidence": _object(
            {"level": {"enum": [level.value for level in Level]}, "reasons": _array(_SENTENCE, at_least=1)}
        ),
        "needsHumanReview": {"description": "False for SHIP with HIGH confidence alone.", "type": "boolean"},
        "coveragePercent": {"description": "Share of the server's tools that were exercised.", **_SHARE},
        "combined": _combined(),
        "gate": _gate(),
        "interrupted": _OPTIONAL_SENTENCE,
        "tools": _object({tool.short: _tool(tool.command) for tool in TOOLS}),
        "findings": _array(_finding(), "Of all tools, what decides first; one fault stands once."),
        "suppressed": _array(_suppressed()),
        "limits": _object(
            {
                "runTimeoutMs": _DURATION,
                "toolTimeoutMs": _DURATION,
                **dict.fromkeys(("maxMemoryBytes", "maxProcesses", "maxOutputBytes", "jobs"), _COUNT),
            }
        ),
        "limitsHit": _array(
            _object({"tool": _SHORT, "limit": _SENTENCE, "value": True, "where": {"type": "string"}})
        ),
        "timings": _timings(properties),
    }
    head: dict[str, Json] = {
        "$schema": envelope["$schema"],
        "$id": f"urn:mcp-trust-check:mcp-trust-check:{SCHEMA_VERSION}",
        "title": "Merged report of mcp-trust-check",
        VOLATILE: list(_volatile(tool_schemas)),
    }
    return {**head, **_object(members), "$defs": definitions}


def _volatile(tool_schemas: Mapping[str, Mapping[str, Json]]) -> Iterable[str]:
    """List what two equal runs may differ in; a finding's volatile parts also where findings are merged."""
    pointers = ["/timings"]
    for short, schema in tool_schemas.items():
        listed = schema.get(VOLATILE, [])
        for pointer in listed if isinstance(listed, list) else []:
            pointers.append(f"/tools/{short}/document{pointer}")
            if str(pointer).startswith(("/findings/", "/suppressed/", "/limitsHit/")):
                pointers.append(str(pointer))
    return dict.fromkeys(pointers)


def _reason() -> dict[str, Json]:
    return _object(
        {
            "rule": {"enum": _RULES},
            "decision": _DECISION,
            "tool": _SHORT,
            "means": _SENTENCE,
            "findings": _array(_FINGERPRINT, "Fingerprints in that tool's document."),
        }
    )


def _combined() -> dict[str, Json]:
    return _object(
        {
            "value": {"description": "The plain mean; null where a tool did not finish.", **_SHARE},
            "grade": {"enum": ["A", "B", "C", "D", "F", None]},
            "over": _array(_SHORT),
            "without": _array(_object({"tool": _SHORT, "reason": _SENTENCE})),
            "partialScore": {"description": "The mean of those that did finish.", **_SHARE},
        }
    )


def _gate() -> dict[str, Json]:
    return _object(
        {
            "failOn": {"enum": [name.value for name in FailOn]},
            "failUnder": {"type": "number", "minimum": 0, "maximum": 100},
            "broken": _OPTIONAL_SENTENCE,
            "exitCode": {"enum": [0, 1, 2, 130]},
        }
    )


def _tool(command: str) -> dict[str, Json]:
    process = _object(
        {
            "exitCode": {"type": ["integer", "null"]},
            "signal": {"type": ["integer", "null"]},
            "stderr": {"type": "string"},
        },
        optional=("stderr",),
    )
    document: dict[str, Json] = {
        "description": f"As the schema of {command} says.",
        "type": "object",
        "required": ["schemaVersion", "tool", "status", "rules", "findings"],
    }
    return _object(
        {
            "command": {"const": command},
            "state": {"enum": [state.value for state in State]},
            "reason": _OPTIONAL_SENTENCE,
            "ranAgain": {"description": "Why it ran a second time, alone.", **_OPTIONAL_SENTENCE},
            "process": {"anyOf": [{"type": "null"}, process]},
            "document": {"anyOf": [{"type": "null"}, document]},
        }
    )


def _finding() -> dict[str, Json]:
    seen = _object({"tool": _SHORT, "ruleId": _SENTENCE, "fingerprint": _FINGERPRINT})
    return {
        "$ref": "#/$defs/finding",
        "required": ["decision", "rules", "seenBy"],
        "properties": {
            "decision": {"enum": [Decision.BLOCK.value, Decision.FIX_FIRST.value, None]},
            "rules": _array({"enum": _RULES}, "The rules that fired on it."),
            "seenBy": _array(seen, "The tools that saw it, this finding's first.", at_least=1),
        },
        "unevaluatedProperties": False,
    }


def _suppressed() -> dict[str, Json]:
    return {
        "$ref": "#/$defs/finding",
        "required": ["reason", "tool"],
        "properties": {"reason": _SENTENCE, "tool": _SHORT},
        "unevaluatedProperties": False,
    }


def _timings(properties: Mapping[str, Json]) -> dict[str, Json]:
    shared = _members(_members(properties, "timings"), "properties")
    one = _object(
        {"durationMs": _DURATION, "cpuMs": _DURATION, "peakMemoryBytes": _COUNT, "peakProcesses": _COUNT}
    )
    tools: dict[str, Json] = {"type": "object", "propertyNames": _SHORT, "additionalProperties": one}
    return _object({"startedAt": shared["startedAt"], "durationMs": _DURATION, "tools": tools})


def _object(properties: dict[str, Json], optional: Sequence[str] = ()) -> dict[str, Json]:
    required: list[Json] = [name for name in properties if name not in optional]
    return {
        "type": "object",
        "required": required,
        "additionalProperties": False,
        "properties": properties,
    }


def _array(items: dict[str, Json], description: str | None = None, at_least: int = 0) -> dict[str, Json]:
    said: dict[str, Json] = {} if description is None else {"description": description}
    return {**said, "type": "array", "minItems": at_least, "items": items}


def _members(schema: Mapping[str, Json], name: str) -> dict[str, Json]:
    member = schema[name]
    if not isinstance(member, dict):
        raise TypeError(f"{name} of the envelope is no object")
    return member
