"""How far the decision can be relied on: HIGH, MEDIUM or LOW, always with the reasons.

It starts at HIGH; each row that holds caps it. A BLOCK stands on what was seen, so it is HIGH whatever
was not checked; the rows are listed all the same.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.model.json_value import Json
from mcp_trust_check.decision import Decision
from mcp_trust_check.exercise import Exercise, exercised
from mcp_trust_check.tool_state import State, ToolState


class Level(StrEnum):
    """A level of confidence."""

    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"

    @property
    def rank(self) -> int:
        """Order, 0 for the highest."""
        return list(Level).index(self)


@dataclass(frozen=True, slots=True)
class Confidence:
    """A level and the sentences that say why it is not higher, or why it is HIGH."""

    level: Level
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the rows look at."""

    states: tuple[ToolState, ...]
    exercise: Exercise

    def having(self, state: State) -> tuple[ToolState, ...]:
        """Return the tools in a state."""
        return tuple(one for one in self.states if one.state is state)


@dataclass(frozen=True, slots=True)
class Cap:
    """A row: where `says` yields a sentence, the level is `level` at most."""

    level: Level
    says: Callable[[Seen], Iterator[str]]


HIGH_SHARE, MEDIUM_SHARE = 80.0, 50.0
"""Per cent of the server's tools that must be exercised for each level."""
UNRESOLVED_SHARE = 0.1
"""Share of the tools in the source that may stay unresolved."""


def _incomplete(seen: Seen) -> Iterator[str]:
    for state in seen.having(State.INCOMPLETE):
        yield f"{state.short} did not finish: {state.reason}"


def _no_runtime(seen: Seen) -> Iterator[str]:
    if not any(state.runtime and state.state is State.COMPLETE for state in seen.states):
        yield "no tool finished that looks at the running server"


def _hardly_exercised(seen: Seen) -> Iterator[str]:
    share, exercise = seen.exercise.percent, seen.exercise
    if exercise.total == 0:
        yield "no tool of the server is known, so none was exercised"
    elif share is None:
        yield "it is not known how many of the server's tools were exercised"
    elif share < MEDIUM_SHARE:
        yield f"{exercise.checked} of {exercise.total} tools were exercised, fewer than half"


def _no_success(seen: Seen) -> Iterator[str]:
    if seen.exercise.successes is None:
        yield "it is not known whether any call succeeded"
    elif seen.exercise.successes == 0:
        yield "no call succeeded, so no answer could be judged"


def _partly_exercised(seen: Seen) -> Iterator[str]:
    share, exercise = seen.exercise.percent, seen.exercise
    if share is not None and MEDIUM_SHARE <= share < HIGH_SHARE:
        yield f"{exercise.checked} of {exercise.total} tools were exercised"


def _skipped(seen: Seen) -> Iterator[str]:
    for state in seen.having(State.SKIPPED):
        yield f"{state.short} was skipped: {state.reason}"


def _not_there(seen: Seen) -> Iterator[str]:
    if names := [state.short for state in seen.having(State.NOT_IN_THIS_VERSION)]:
        yield f"{', '.join(names)}: not in this version"


def _nothing_judged(seen: Seen) -> Iterator[str]:
    for state in seen.having(State.COMPLETE):
        if state.score is None:
            yield f"{state.short} found nothing that may be judged"


def _rules_not_run(seen: Seen) -> Iterator[str]:
    for state in seen.having(State.COMPLETE):
        rows = state.document.get("rules") if state.document else None
        count = sum(_not_run(row) for row in rows) if isinstance(rows, list) else 0
        if count:
            yield f"{state.short} left {count} rules out"


def _unresolved(seen: Seen) -> Iterator[str]:
    for state in seen.states:
        unresolved, tools = state.details.get("unresolved"), state.details.get("tools")
        if state.short != "doctor" or not isinstance(unresolved, list) or not isinstance(tools, list):
            continue
        if len(unresolved) > UNRESOLVED_SHARE * (len(unresolved) + len(tools)):
            yield f"doctor could not resolve {len(unresolved)} tools in the source"


def _not_run(row: Json) -> bool:
    return isinstance(row, dict) and row.get("outcome") == "not_run"


CAPS = (
    Cap(Level.LOW, _incomplete),
    Cap(Level.LOW, _no_runtime),
    Cap(Level.LOW, _hardly_exercised),
    Cap(Level.LOW, _no_success),
    Cap(Level.MEDIUM, _partly_exercised),
    Cap(Level.MEDIUM, _skipped),
    Cap(Level.MEDIUM, _not_there),
    Cap(Level.MEDIUM, _nothing_judged),
    Cap(Level.MEDIUM, _rules_not_run),
    Cap(Level.MEDIUM, _unresolved),
)


def confidence(states: Sequence[ToolState], decision: Decision) -> Confidence:
    """Judge how much was seen."""
    seen = Seen(tuple(states), exercised(states))
    held = [(cap.level, sentence) for cap in CAPS for sentence in cap.says(seen)]
    sentences = tuple(sentence for _, sentence in held)
    if decision is Decision.BLOCK:
        return Confidence(Level.HIGH, ("what blocks was seen, and nothing else could undo it", *sentences))
    level = max((level for level, _ in held), key=lambda level: level.rank, default=Level.HIGH)
    if level is Level.HIGH:
        return Confidence(level, (f"{_share(seen.exercise)}, and every tool finished",))
    return Confidence(level, sentences)


def _share(exercise: Exercise) -> str:
    return f"{exercise.checked} of {exercise.total} tools were exercised"
