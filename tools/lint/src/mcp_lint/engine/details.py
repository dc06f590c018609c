"""The member `details` of the report."""

from dataclasses import dataclass

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.client_side import CLIENT_CAPABILITIES
from mcp_lint.engine.gather import Gathered
from mcp_lint.facts.settings import Settings
from mcp_lint.facts.tokens import CHARACTERS_A_TOKEN
from mcp_lint.scoring.score import ServerWaste

NO_TOOLS_DECLARED = "the server does not advertise tools, so that no client asks for them"
NOT_IN_THIS_VERSION = (
    "probing (P1 to P5)",
    "install rules (I1)",
    "package version and digest in the lock",
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known at the end of a run."""

    gathered: Gathered | None
    waste: ServerWaste
    file: str | None
    starts: int
    settings: Settings
    lock: dict[str, Json] | None


def make_details(facts: Facts) -> dict[str, Json]:
    """Make the member `details`."""
    gathered = facts.gathered
    live = gathered is not None and facts.file is None
    notes: list[Json] = []
    if gathered is not None and not gathered.declares_tools:
        notes.append(NO_TOOLS_DECLARED)
    if gathered is not None and not gathered.definitions.instructions_known:
        notes.append("the saved list does not hold the server's instructions")
    return {
        "file": facts.file,
        "era": gathered.era if gathered else None,
        "clientCapabilities": dict(CLIENT_CAPABILITIES) if live else None,
        "starts": facts.starts,
        "profile": facts.settings.profile.value if facts.settings.profile else None,
        "basis": "static",
        "charactersPerToken": CHARACTERS_A_TOKEN,
        "tokens": sum(tool.tokens for tool in facts.waste.tools.values()),
        "waste": {"definitions": facts.waste.definitions, "usage": round(facts.waste.usage, 1)},
        "tools": [
            {
                "tool": label,
                "tokens": tool.tokens,
                "wastedDefinition": tool.definition,
                "wastedUsage": tool.usage,
                "score": tool.score,
            }
            for label, tool in facts.waste.tools.items()
        ],
        "lock": facts.lock,
        "notes": notes,
        "notInThisVersion": list(NOT_IN_THIS_VERSION),
    }
