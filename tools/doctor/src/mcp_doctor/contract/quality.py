"""The grade of quality: weights of rules over tools, as the README states the formula."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mcp_check_core.model.finding import Severity
from mcp_check_core.model.grade import percentage
from mcp_check_core.model.report import Score

WEIGHTS = {Severity.ERROR: 3, Severity.WARNING: 1, Severity.INFO: 0}


@dataclass(frozen=True, slots=True)
class Tally:
    """What one rule judged: its severity, the units looked at, those that fail with their worst severity."""

    severity: Severity
    units: frozenset[str]
    failed: Mapping[str, Severity] = field(default_factory=dict)


def quality(tallies: Sequence[Tally], tools: int, unresolved: int) -> Score | None:
    """Score what was judged; None where no tool was, or where nothing has a weight.

    100 × (1 − Σ weight of what failed ÷ Σ weight of what was judged), over rules and tools.
    """
    whole = sum(WEIGHTS[one.severity] * len(one.units) for one in tallies)
    if not tools or not whole:
        return None
    lost = sum(
        min(WEIGHTS[worst], WEIGHTS[one.severity])
        for one in tallies
        for unit, worst in one.failed.items()
        if unit in one.units
    )
    failing = sum(len(one.failed) for one in tallies)
    judged = f"{tools} tool{'s' * (tools != 1)} judged by {len(tallies)} rules"
    basis = f"{judged}: {failing} failed, {lost} of {whole} points lost"
    if unresolved:
        basis += f"; {unresolved} registration{'s' * (unresolved != 1)} could not be resolved"
    return Score(percentage(whole - lost, whole), f"{basis}.")
