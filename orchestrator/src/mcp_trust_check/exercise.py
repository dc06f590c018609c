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
    """Count the valid calls that succeeded, in rows of tool, phase and counts by outcome."""
    rows = fuzz.details.get("outcomes")
    if not isinstance(rows, list):
        return None
    return sum(map(_ok, rows))


def _ok(row: Json) -> int:
    match row:
        case {"phase": "valid", "outcomes": dict(counts)}:
            return _count(counts, "ok") or 0
        case _:
            return 0


def _count(members: Mapping[str, Json], name: str) -> int | None:
    value = members.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
