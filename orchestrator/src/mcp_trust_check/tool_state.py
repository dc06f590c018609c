"""What became of one tool, as everything that judges sees it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Suppressed


class State(StrEnum):
    """What became of a tool. Only `incomplete` is ignorance: it was meant to answer and did not."""

    COMPLETE = "complete"
    INCOMPLETE = "incomplete"
    SKIPPED = "skipped"
    NOT_IN_THIS_VERSION = "not_in_this_version"


@dataclass(frozen=True, slots=True)
class ToolState:
    """One tool with what it said.

    `document` is its document if that is valid, also where it says itself that it is incomplete; `findings`
    and `ended_early` (where a run stopped because the server went away) are also saved from a document
    that is not valid. `held` are the findings that we hold back; they are not among `findings`. `reason` is
    one sentence for every state but complete.
    """

    short: str
    command: str
    runtime: bool
    state: State
    reason: str | None = None
    document: Mapping[str, Json] | None = None
    findings: tuple[Finding, ...] = ()
    ended_early: str | None = None
    held: tuple[Suppressed, ...] = ()

    @property
    def score(self) -> float | None:
        """The score that a complete tool gave, from 0 to 100."""
        match self.document:
            case {"score": {"value": int() | float() as value}} if self.state is State.COMPLETE:
                return float(value)
            case _:
                return None

    @property
    def details(self) -> Mapping[str, Json]:
        """What is particular to the tool in its document."""
        details = self.document.get("details") if self.document else None
        return details if isinstance(details, dict) else {}
