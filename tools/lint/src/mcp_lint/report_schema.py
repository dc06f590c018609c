"""The JSON Schema of this tool's document, from which the committed `schema.json` is made."""

from mcp_check_core.model.json_value import Json
from mcp_check_core.report.schema import tool_schema
from mcp_lint.facts.settings import Profile
from mcp_lint.registry import RULES

_TEXT: Json = {"type": "string"}
_NULL_TEXT: Json = {"type": ["string", "null"]}
_COUNT: Json = {"type": "integer", "minimum": 0}
_NUMBER: Json = {"type": "number", "minimum": 0}


def report_schema() -> dict[str, Json]:
    """Make the schema of a report of mcp-lint."""
    return tool_schema(tool="mcp-lint", details=_details(), rules=RULES, volatile=_VOLATILE)


_VOLATILE = ("/findings/*/evidence/stderr",)
"""What a server that does not start writes may hold times and pids."""


def _object(**members: Json) -> dict[str, Json]:
    return {
        "type": "object",
        "required": list(members),
        "additionalProperties": False,
        "properties": dict(members),
    }


def _nullable(schema: Json) -> Json:
    return {"anyOf": [{"type": "null"}, schema]}


def _details() -> dict[str, Json]:
    profiles: list[Json] = [None, *(profile.value for profile in Profile)]
    counts: Json = {"type": "object", "additionalProperties": _COUNT}
    return _object(
        file={"description": "Name of the saved list that was read.", **_as_object(_NULL_TEXT)},
        era=_NULL_TEXT,
        clientCapabilities={"type": ["object", "null"]},
        starts={"description": "Times the server was started.", **_as_object(_COUNT)},
        profile={"enum": profiles},
        basis={"description": "What the score rests on.", "const": "static"},
        charactersPerToken=_COUNT,
        tokens={"description": "Estimated tokens of all definitions.", **_as_object(_COUNT)},
        waste=_object(definitions=_COUNT, usage=_NUMBER),
        tools={
            "type": "array",
            "items": _object(
                tool=_TEXT, tokens=_COUNT, wastedDefinition=_COUNT, wastedUsage=_COUNT, score=_NUMBER
            ),
        },
        lock=_nullable(
            _object(
                path=_TEXT,
                mode={"enum": ["check", "create", "refresh"]},
                written={"type": "boolean"},
                compared={"type": "boolean"},
                scale={"enum": ["lint", "bands"]},
                severities=counts,
                bands=counts,
            )
        ),
        notes={"type": "array", "items": _TEXT},
        notInThisVersion={"type": "array", "items": _TEXT},
    )


def _as_object(schema: Json) -> dict[str, Json]:
    return schema if isinstance(schema, dict) else {}
