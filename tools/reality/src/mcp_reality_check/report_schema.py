"""The JSON Schema of this tool's document, from which the committed `schema.json` is made."""

from collections.abc import Mapping

from mcp_check_core.model.json_value import Json
from mcp_check_core.report.schema import tool_schema
from mcp_reality_check.facts.call import Purpose
from mcp_reality_check.facts.outcome import Outcome
from mcp_reality_check.registry import RULES

_TEXT: Json = {"type": "string"}
_COUNT: Json = {"type": "integer", "minimum": 0}


def report_schema() -> dict[str, Json]:
    """Make the schema of a report of mcp-reality-check."""
    return tool_schema(tool="mcp-reality-check", details=_details(), rules=RULES, volatile=_VOLATILE)


_VOLATILE = (
    "/details/starts",
    "/details/repeatedCalls",
    "/details/calls",
    "/findings/*/evidence/stderr",
)
"""How often a server is started anew depends on when its end is seen; stderr may hold times and pids."""


def _object(properties: Mapping[str, Json]) -> dict[str, Json]:
    return {
        "type": "object",
        "required": list(properties),
        "additionalProperties": False,
        "properties": dict(properties),
    }


def _rows(properties: Mapping[str, Json], description: str) -> Json:
    """A list whose last row may say how many more there were."""
    return {
        "description": description,
        "type": "array",
        "items": {"anyOf": [_object(properties), _object({"more": _COUNT})]},
    }


def _details() -> dict[str, Json]:
    purposes: list[Json] = [purpose.value for purpose in Purpose]
    outcomes: list[Json] = [outcome.value for outcome in Outcome]
    case: Json = {"enum": purposes}
    counts: Json = {"type": "object", "propertyNames": {"enum": outcomes}, "additionalProperties": _COUNT}
    early = _object({"tool": _TEXT, "reason": _TEXT})
    return _object(
        {
            "options": _object(
                {
                    "includeDestructive": {"type": "boolean"},
                    "fixtures": {"type": "boolean"},
                    "seed": {"type": "integer"},
                    "maxCalls": _COUNT,
                }
            ),
            "starts": _count("Times the server was started."),
            "calls": _count("Calls that were made, repeated ones included."),
            "repeatedCalls": _count("Calls made again, alone, on a fresh server."),
            "judged": _count("Answers that claim success and were judged."),
            "listing": {"description": "Why no further page of tools was read.", "type": ["string", "null"]},
            "inputs": _rows(
                {
                    "tool": _TEXT,
                    "case": case,
                    "outcome": {"enum": outcomes},
                    "sources": {"type": "object", "additionalProperties": _TEXT},
                },
                "Where the values of each call come from, by JSON pointer into its arguments.",
            ),
            "outcomes": _rows({"tool": _TEXT, "outcomes": counts}, "By tool."),
            "errors": _rows(
                {"tool": _TEXT, "case": case, "answer": _TEXT}, "Calls that ended in an honest error."
            ),
            "environment": _rows(
                {"tool": _TEXT, "wanting": _TEXT, "calls": _COUNT},
                "Calls that failed for want of network, credentials or quota.",
            ),
            "leftOut": _rows({"tool": _TEXT, "reason": _TEXT}, "Tools for which there was no input."),
            "schemaNotJudgeable": _rows(
                {"tool": _TEXT, "reason": _TEXT}, "Output schemas by which no answer can be judged."
            ),
            "notCalledAgain": _rows({"tool": _TEXT, "reason": _TEXT}, "Tools that were stopped early."),
            "terminatedEarly": {"anyOf": [{"type": "null"}, early]},
        }
    )


def _count(description: str) -> Json:
    return {"description": description, "type": "integer", "minimum": 0}
