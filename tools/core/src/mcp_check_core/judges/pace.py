"""Judge whether a call is slow or its answer large: over a limit, or far above the usual."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

LATENCY_ABSOLUTE_MS = 5_000.0
LATENCY_FLOOR_MS = 100.0
"""A call within this time is never an outlier, however fast its peers are."""
SIZE_ABSOLUTE = 20_000.0
"""Characters of an answer."""
SIZE_FLOOR = 1_000.0
FACTOR = 3.0
MINIMUM = 3
HISTORY_BOUND = 64
"""Values that a history keeps: the latest."""


class PaceReason(StrEnum):
    """Which limit was crossed."""

    ABSOLUTE = "absolute"
    OUTLIER = "outlier"


@dataclass(frozen=True, slots=True)
class Pace:
    """A value that is too high: the limit that it crossed, and the usual value where that made the limit."""

    reason: PaceReason
    value: float
    limit: float
    usual: float | None = None


@dataclass(frozen=True, slots=True)
class History:
    """The latest values of one tool, at most `HISTORY_BOUND`, and how many there were in all.

    Adding and judging cost the same after a million calls as after a hundred.
    """

    values: tuple[float, ...] = ()
    count: int = 0

    def add(self, value: float) -> "History":
        """Give the history with one more value; the oldest is forgotten where there is no room."""
        return History((*self.values[-(HISTORY_BOUND - 1) :], value), self.count + 1)


def judge_pace(
    history: Sequence[float],
    value: float,
    *,
    absolute: float,
    floor: float,
    factor: float = FACTOR,
    minimum: int = MINIMUM,
) -> Pace | None:
    """Judge one value (milliseconds or characters) against a limit and against the median of others.

    `history` holds the earlier values of this tool, or one value for each tool of a server. It counts from
    `minimum` values on, and only for a value above `floor`.
    """
    if value > absolute:
        return Pace(PaceReason.ABSOLUTE, value, absolute)
    if len(history) < minimum or value <= floor:
        return None
    usual = median(history)
    limit = factor * usual
    return Pace(PaceReason.OUTLIER, value, limit, usual) if value > limit else None


def judge_latency(history: Sequence[float], milliseconds: float) -> Pace | None:
    """Judge a call's duration by the limits of this project."""
    return judge_pace(history, milliseconds, absolute=LATENCY_ABSOLUTE_MS, floor=LATENCY_FLOOR_MS)


def judge_size(history: Sequence[float], characters: float) -> Pace | None:
    """Judge an answer's size by the limits of this project."""
    return judge_pace(history, characters, absolute=SIZE_ABSOLUTE, floor=SIZE_FLOOR)
