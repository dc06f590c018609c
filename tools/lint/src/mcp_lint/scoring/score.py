"""The score: tokens that a session wastes on this server, halving. Made of findings and sizes alone."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.report import Score
from mcp_lint.scoring.costs import (
    DEFINITION_WEIGHT,
    FINDING_COSTS,
    FREE_DEFINITION,
    HALVING_SERVER,
    HALVING_TOOL,
    ONCE_A_PARAMETER,
    ONCE_A_TOOL,
    USES_A_SESSION,
)


@dataclass(frozen=True, slots=True)
class ToolWaste:
    """Tokens of one tool: its definition, what of that is wasted, and what is wasted in its use."""

    tokens: int
    definition: int
    usage: int

    @property
    def score(self) -> float:
        """The tool's own score, 0 to 100."""
        return _halved(self.definition + self.usage, HALVING_TOOL)


@dataclass(frozen=True, slots=True)
class ServerWaste:
    """The waste of all tools, by label, in the order of the list."""

    tools: Mapping[str, ToolWaste] = field(default_factory=dict)

    @property
    def definitions(self) -> int:
        """Tokens that all definitions waste together."""
        return sum(tool.definition for tool in self.tools.values())

    @property
    def usage(self) -> float:
        """Tokens that the uses of a session waste: those of the mean tool, three times."""
        total = sum(tool.usage for tool in self.tools.values())
        return USES_A_SESSION * total / len(self.tools) if self.tools else 0.0

    def score(self) -> Score | None:
        """Give the server's score; None where it has no tools that were judged."""
        if not self.tools:
            return None
        total = self.definitions + self.usage
        return Score(
            _halved(total, HALVING_SERVER),
            f"static, no tool was called: about {total:,.0f} tokens wasted a session "
            f"({self.definitions:,} on long definitions, {self.usage:,.0f} on what the definitions of "
            f"{len(self.tools)} tools leave unsaid); "
            f"each {HALVING_SERVER:,} halve it",
        )


def server_waste(tokens: Mapping[str, int], findings: Sequence[Finding]) -> ServerWaste:
    """Add up the waste. `tokens` is the size of each definition that was judged, by the tool's label."""
    usage = dict.fromkeys(tokens, 0)
    charged: set[tuple[str | None, str | None]] = set()
    overlapping: set[str] = set()
    for finding in findings:
        fault, tool = (finding.rule_id, finding.kind), finding.location.tool
        if fault in ONCE_A_TOOL:
            overlapping.update(name for name in _named(finding) if name in usage)
            continue
        if fault not in FINDING_COSTS or tool not in usage:
            continue
        if fault in ONCE_A_PARAMETER:
            place = (tool, finding.location.parameter)
            if place in charged:
                continue
            charged.add(place)
        usage[tool] += FINDING_COSTS[fault]
    for label in overlapping:
        usage[label] += FINDING_COSTS["lint/S4", None]
    return ServerWaste(
        {
            label: ToolWaste(size, DEFINITION_WEIGHT * max(0, size - FREE_DEFINITION), usage[label])
            for label, size in tokens.items()
        }
    )


def _named(finding: Finding) -> list[str]:
    """Give the tools that a finding on several tools names."""
    names = finding.evidence.get("tools")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _halved(waste: float, halving: int) -> float:
    return round(100 * math.pow(0.5, waste / halving), 1)
