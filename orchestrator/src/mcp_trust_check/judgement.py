"""What is concluded from what became of the tools; pure, so that it can be tested as a function."""

from collections.abc import Sequence
from dataclasses import dataclass

from mcp_trust_check.confidence import Confidence, Level, confidence
from mcp_trust_check.decision import Decision, Reason, decide, reasons
from mcp_trust_check.exercise import Exercise, exercised
from mcp_trust_check.merge import MergedFinding, merged
from mcp_trust_check.score import Combined, combined
from mcp_trust_check.tool_state import ToolState


@dataclass(frozen=True, slots=True)
class Judgement:
    """The decision and what it stands on."""

    states: tuple[ToolState, ...]
    decision: Decision
    reasons: tuple[Reason, ...]
    findings: tuple[MergedFinding, ...]
    confidence: Confidence
    combined: Combined
    exercise: Exercise

    @property
    def blocker_count(self) -> int:
        """How many faults block."""
        return self._count(Decision.BLOCK)

    @property
    def fix_count(self) -> int:
        """How many faults are to be fixed first, tools that did not answer included."""
        return self._count(Decision.FIX_FIRST)

    @property
    def needs_human_review(self) -> bool:
        """True for all but SHIP with HIGH confidence."""
        return not (self.decision is Decision.SHIP and self.confidence.level is Level.HIGH)

    def _count(self, decision: Decision) -> int:
        without = sum(not reason.findings for reason in self.reasons if reason.decision is decision)
        return without + sum(fault.decision is decision for fault in self.findings)


def judge(states: Sequence[ToolState]) -> Judgement:
    """Conclude from the states of the five tools."""
    fired = reasons(states)
    decision = decide(fired)
    return Judgement(
        states=tuple(states),
        decision=decision,
        reasons=fired,
        findings=merged(states, fired),
        confidence=confidence(states, decision),
        combined=combined(states),
        exercise=exercised(states),
    )
