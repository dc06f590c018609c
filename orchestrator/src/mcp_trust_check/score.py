"""The combined score: the plain mean of what the tools gave, and none where one of them did not answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from mcp_check_core.model.grade import grade, percentage
from mcp_trust_check.tool_state import State, ToolState


@dataclass(frozen=True, slots=True)
class Combined:
    """The combined score from 0 to 100, the tools it is over, and why each other tool is not in it.

    `partial` is the mean of those that did answer, where `value` is None because one did not.
    """

    value: float | None
    over: tuple[str, ...]
    without: tuple[tuple[str, str], ...]
    partial: float | None = None

    @property
    def grade(self) -> str | None:
        """The letter of the shared scale."""
        return None if self.value is None else grade(self.value)


def combined(states: Sequence[ToolState]) -> Combined:
    """Take the mean over the complete tools that had something to judge."""
    scored = {state.short: state.score for state in states if state.score is not None}
    mean = percentage(sum(scored.values()), 100 * len(scored)) if scored else None
    without = tuple((state.short, _reason(state)) for state in states if state.short not in scored)
    if any(state.state is State.INCOMPLETE for state in states):
        return Combined(None, (), without, mean)
    return Combined(mean, tuple(scored), without)


def _reason(state: ToolState) -> str:
    if state.state is State.COMPLETE:
        return "it found nothing that may be judged"
    return state.reason or state.state.value
