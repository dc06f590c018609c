"""Definitions and checks built by hand for the tests."""

from collections.abc import Sequence

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_lint.facts.definitions import Definitions, Listed, make_definitions
from mcp_lint.facts.settings import Settings
from mcp_lint.rules.declare import Judged

DESCRIPTION = (
    "Look up the current time of one place and give it as ISO 8601 with its offset. "
    "Use it before any question about today, now or a deadline."
)


def tool(name: Json = "get_time", **over: Json) -> dict[str, Json]:
    """Build a definition that no rule finds fault with, but for what `over` puts into it."""
    zone: Json = {"type": "string", "description": "IANA name."}
    return {"name": name, "description": DESCRIPTION, "inputSchema": schema(zone=zone), **over}


def without(definition: dict[str, Json], *names: str) -> dict[str, Json]:
    return {name: value for name, value in definition.items() if name not in names}


def schema(**properties: Json) -> dict[str, Json]:
    return {"type": "object", "properties": properties}


def definitions(
    *tools: Json, protocol: str | None = None, instructions: str | None = None, known: bool = True
) -> Definitions:
    return make_definitions(
        Listed(tuple(tools)), protocol=protocol, instructions=instructions, instructions_known=known
    )


def found(rule: Judged, facts: Definitions, settings: Settings | None = None) -> list[Finding]:
    return [one for one in rule.judge(facts, settings or Settings()) if isinstance(one, Finding)]


def told(findings: Sequence[Finding]) -> list[tuple[str | None, str | None, str]]:
    """Give tool, kind and severity of each finding."""
    return [(one.location.tool, one.kind, one.severity.value) for one in findings]
