"""The JSON Schema of this tool's document, from which the committed `schema.json` is made."""

from collections.abc import Mapping

from mcp_check_core.model.json_value import Json
from mcp_check_core.report.schema import tool_schema
from mcp_fuzz.facts.case import Phase
from mcp_fuzz.facts.outcome import Outcome
from mcp_fuzz.options import Depth
from mcp_fuzz.registry import RULES

_TEXT: Json = {"type": "string"}
_COUNT: Json = {"type": "integer", "minimum": 0}


def report_schema() -> dict[str, Json]:
    """Make the schema of a report of mcp-fuzz."""
    return tool_schema(tool="mcp-fuzz", details=_details(), rules=RULES, volatile=_VOLATILE)


_VOLATILE = (
    "/details/starts",
    "/details/repeatedCalls",
    "/details/tokenEstimate",
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


def _nullable(schema: Json) -> Json:
    return {"anyOf": [{"type": "null"}, schema]}


def _details() -> dict[str, Json]:
    gate = _object(
        {
            "score": {"type": ["number", "null"]},
            "flagged": {"type": "array"},
            "reason": {"type": ["string", "null"]},
        }
    )
    depths: list[Json] = [depth.value for depth in Depth]
    phases: list[Json] = [phase.value for phase in Phase if phase is not Phase.LIST]
    outcomes: list[Json] = [outcome.value for outcome in Outcome]
    counts: Json = {"type": "object", "propertyNames": {"enum": outcomes}, "additionalProperties": _COUNT}
    return _object(
        {
            "options": _object(
                {
                    "includeDestructive": {"type": "boolean"},
                    "depth": {"enum": depths},
                    "seed": {"type": "integer"},
                    "maxCalls": _COUNT,
                }
            ),
            "starts": {"description": "Times the server was started.", **_count()},
            "calls": {"description": "Cases that were called.", **_count()},
            "repeatedCalls": {"description": "Calls made again, alone, on a fresh server.", **_count()},
            "listing": {"description": "Why no further page of tools was read.", "type": ["string", "null"]},
            "notScored": {"description": "Why there is no score.", "type": ["string", "null"]},
            "outcomes": _rows(
                {"tool": _TEXT, "phase": {"enum": phases}, "outcomes": counts}, "By tool and phase."
            ),
            "validErrors": _rows(
                {"tool": _TEXT, "case": _TEXT, "answer": _TEXT},
                "Valid calls that ended in an orderly error: no defect, the made input may be the cause.",
            ),
            "environment": _rows(
                {"tool": _TEXT, "wanting": _TEXT, "calls": _COUNT},
                "Calls that failed for want of the network, a program, a credential or quota.",
            ),
            "leftOut": _rows({"tool": _TEXT, "cases": _TEXT, "reason": _TEXT}, "Cases that were not made."),
            "schemaNotJudgeable": _rows(
                {"tool": _TEXT, "reason": _TEXT}, "Input schemas by which no call can be judged."
            ),
            "notCalledAgain": _rows({"tool": _TEXT, "reason": _TEXT}, "Tools that were stopped early."),
            "terminatedEarly": _nullable(_object({"tool": _TEXT, "case": _TEXT, "reason": _TEXT})),
            "latency": gate,
            "responseSize": gate,
            "tokenEstimate": _nullable(_object({"total": _COUNT, "perCall": {"type": "number"}})),
            "notInThisVersion": {"type": "array", "items": _TEXT},
        }
    )


def _count() -> dict[str, Json]:
    return {"type": "integer", "minimum": 0}
