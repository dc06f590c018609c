"""One list of findings: the same defect seen by two tools stands once, with both named."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mcp_check_core.model.finding import Finding
from mcp_trust_check.decision import Decision, Reason
from mcp_trust_check.tool_state import ToolState


@dataclass(frozen=True, slots=True)
class Sighting:
    """A finding and the tool that made it."""

    short: str
    finding: Finding

    @property
    def defect(self) -> tuple[str | None, str | None, str | None]:
        """What two findings share that show the same fault."""
        place = self.finding.location
        return (self.finding.defect, place.tool, place.parameter)


@dataclass(frozen=True, slots=True)
class MergedFinding:
    """A fault with all who saw it, the worst first, and the rules that fired on it."""

    sightings: tuple[Sighting, ...]
    rules: tuple[str, ...] = ()
    decision: Decision = Decision.SHIP

    @property
    def finding(self) -> Finding:
        """The finding that stands for all."""
        return self.sightings[0].finding

    def sort_key(self) -> tuple[object, ...]:
        """Order of a report: what decides first, then as findings are ordered."""
        return (self.decision.rank, *self.finding.sort_key(), self.sightings[0].short)


def merged(states: Sequence[ToolState], fired: Iterable[Reason]) -> tuple[MergedFinding, ...]:
    """Join the findings of all tools, worst first."""
    behind: dict[tuple[str, str], list[Reason]] = {}
    for reason in fired:
        for finding in reason.findings:
            behind.setdefault((reason.tool, finding.fingerprint), []).append(reason)
    sightings = [Sighting(state.short, finding) for state in states for finding in state.findings]
    sightings.sort(key=lambda one: (*one.finding.sort_key(), one.short))
    faults = [_judged(group, behind) for group in _groups(sightings)]
    return tuple(sorted(faults, key=MergedFinding.sort_key))


def _groups(sightings: Iterable[Sighting]) -> list[list[Sighting]]:
    groups: list[list[Sighting]] = []
    by_defect: dict[tuple[str | None, str | None, str | None], list[list[Sighting]]] = {}
    for one in sightings:
        same = by_defect.setdefault(one.defect, []) if one.finding.defect else []
        open_to = next((group for group in same if all(other.short != one.short for other in group)), None)
        if open_to is not None:
            open_to.append(one)
            continue
        groups.append([one])
        same.append(groups[-1])
    return groups


def _judged(group: Sequence[Sighting], behind: dict[tuple[str, str], list[Reason]]) -> MergedFinding:
    fired = [reason for one in group for reason in behind.get((one.short, one.finding.fingerprint), [])]
    worst = min((reason.decision for reason in fired), key=lambda one: one.rank, default=Decision.SHIP)
    return MergedFinding(tuple(group), tuple(dict.fromkeys(reason.rule for reason in fired)), worst)
