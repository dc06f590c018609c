"""Slow and large: absolute limits, outliers, floors, and a history that costs the same for ever."""

import time

import pytest

from mcp_check_core.judges.pace import (
    HISTORY_BOUND,
    History,
    Pace,
    PaceReason,
    judge_latency,
    judge_pace,
    judge_size,
)


@pytest.mark.parametrize(
    ("history", "milliseconds", "expected"),
    [
        ((), 5_000.0, None),
        ((), 5_000.1, Pace(PaceReason.ABSOLUTE, 5_000.1, 5_000.0)),
        ((10.0, 10.0), 4_000.0, None),
        ((10.0, 10.0, 10.0), 100.0, None),
        ((10.0, 10.0, 10.0), 100.5, Pace(PaceReason.OUTLIER, 100.5, 30.0, 10.0)),
        ((200.0, 200.0, 200.0), 600.0, None),
        ((200.0, 200.0, 200.0), 601.0, Pace(PaceReason.OUTLIER, 601.0, 600.0, 200.0)),
        ((1.0, 200.0, 4_000.0), 601.0, Pace(PaceReason.OUTLIER, 601.0, 600.0, 200.0)),
    ],
)
def test_latency(history: tuple[float, ...], milliseconds: float, expected: Pace | None) -> None:
    assert judge_latency(history, milliseconds) == expected


def test_size_has_its_own_limits() -> None:
    assert judge_size((), 20_000) is None
    assert judge_size((), 20_001) == Pace(PaceReason.ABSOLUTE, 20_001, 20_000)
    assert judge_size((10, 10, 10), 1_000) is None
    assert judge_size((10, 10, 10), 1_001) == Pace(PaceReason.OUTLIER, 1_001, 30, 10)


def test_limits_can_be_given() -> None:
    assert judge_pace((1.0,), 5.0, absolute=10, floor=0, factor=4, minimum=1) == Pace(
        PaceReason.OUTLIER, 5.0, 4.0, 1.0
    )


def test_a_history_is_bounded_and_forgets_the_oldest() -> None:
    history = History()
    for value in range(1_000):
        history = history.add(float(value))
    assert history.count == 1_000
    assert len(history.values) == HISTORY_BOUND
    assert history.values[-1] == 999.0


def test_the_cost_a_call_does_not_grow() -> None:
    def seconds(history: History) -> float:
        start = time.process_time()
        for value in range(2_000):
            judge_latency(history.values, float(value))
            history = history.add(float(value))
        return time.process_time() - start

    young = History(tuple(float(value) for value in range(HISTORY_BOUND)), HISTORY_BOUND)
    assert seconds(History(young.values, 10**9)) <= 4 * seconds(young) + 0.1
