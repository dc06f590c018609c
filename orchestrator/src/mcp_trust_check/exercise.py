"""How much of the server was really exercised, as the tools that call it report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcp_check_core.model.grade import percentage
from mcp_check_core.model.json_value import Json
from mcp_trust_check.tool_state import ToolState


@dataclass(frozen=True, slots=True)
class Exercise:
    """Tools of the server that gave an orderly answer, of how many; and how many calls succeeded.

    None stands for not known. A share of a server without tools does not exist.
    """

    checked: int | None = None
    total: int | None = None
    successes: int | None = None

    @property
    def percent(self) -> float | None:
        """The share in per cent."""
        if self.checked is None or not self.total:
            return None
        return min(100.0, percentage(self.checked, self.total))


def exercised(states: Sequence[ToolState]) -> Exercise:
    """Read from fuzz what it called, and from reality, or else from fuzz, how many calls succeeded."""
    by_name = {state.short: state for state in states}
    fuzz, reality = by_name.get("fuzz"), by_name.get("reality")
    successes = None if reality is None else _count(reality.details, "judged")
    if successes is None and fuzz is not None:
        successes = _valid_successes(fuzz)
    coverage = fuzz.document.get("coverage") if fuzz and fuzz.document else None
    if not isinstance(coverage, dict):
        return Exercise(successes=successes)
    return Exercise(_count(coverage, "toolsChecked"), _count(coverage, "toolsTotal"), successes)


def _valid_successes(fuzz: ToolState) -> int | None:
    """Count the valid calls that succeeded, in `details.outcomes`: tool, then phase, then outcome."""
    outcomes = fuzz.details.get("outcomes")
    if not isinstance(outcomes, dict):
        return None
    phases = (phases.get("valid") for phases in outcomes.values() if isinstance(phases, dict))
    return sum(_count(valid, "ok") or 0 for valid in phases if isinstance(valid, dict))


def _count(members: Mapping[str, Json], name: str) -> int | None:
    value = members.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
