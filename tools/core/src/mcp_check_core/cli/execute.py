"""Run a check to its report, whatever ends it: its own end, the time limit, a signal, an error of ours."""

import signal
import sys
import traceback
from dataclasses import dataclass
from typing import Protocol

import anyio
from anyio.abc import TaskStatus

from mcp_check_core.model.report import ErrorKind, LimitHit, Report, RunError
from mcp_check_core.report.collector import Collector

_STOPPING: tuple[signal.Signals, ...] = (signal.SIGINT, signal.SIGTERM)
if sys.platform != "win32":
    _STOPPING += (signal.SIGHUP,)


class Check(Protocol):
    """A check of one tool. `report` may be called at any moment: it tells what is known by then."""

    collector: Collector

    async def run(self) -> None:
        """Do the check; what is found goes to the collector as it is found."""

    def report(self, interrupted: str | None) -> Report:
        """Make the report; `interrupted` says why the run ended early, None if it did not."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A check that has ended: its report, and whether the user stopped it."""

    report: Report
    interrupted: bool


@dataclass(slots=True)
class _Stop:
    """Who stopped a run, once somebody has."""

    name: str | None = None


def execute(check: Check, run_s: float, *, debug: bool = False) -> Ended:
    """Run a check for at most `run_s` seconds and give its report, partial if need be.

    The first SIGINT, SIGTERM or SIGHUP cancels the check, which ends every process it started; a second
    one ends us at once, and the servers' sentinels do the rest.
    """
    return anyio.run(_supervise, check, run_s, debug)


async def _supervise(check: Check, run_s: float, debug: bool) -> Ended:
    stop = _Stop()
    async with anyio.create_task_group() as tasks:
        if sys.platform != "win32":
            await tasks.start(_watch_signals, tasks.cancel_scope, stop)
        await _bounded(check, run_s, debug)
        tasks.cancel_scope.cancel()
    interrupted = f"stopped by {stop.name} before the check was done" if stop.name else None
    return Ended(check.report(interrupted), stop.name is not None)


async def _bounded(check: Check, run_s: float, debug: bool) -> None:
    try:
        with anyio.move_on_after(run_s) as limit:
            await check.run()
    except Exception as problem:  # noqa: BLE001 - what was found so far must still be reported
        if debug:
            traceback.print_exc()
        cause = _single(problem)
        message = f"internal error: {type(cause).__name__}: {cause} (--debug shows where)"
        check.collector.error(RunError(ErrorKind.INTERNAL, message))
        return
    if limit.cancelled_caught:
        check.collector.limit(LimitHit("run seconds", run_s, "the whole run"))
        message = f"the run was stopped after {run_s:g} s (--run-timeout)"
        check.collector.error(RunError(ErrorKind.LIMIT, message))


def _single(problem: Exception) -> Exception:
    """Take the one exception out of groups that hold nothing else."""
    while isinstance(problem, ExceptionGroup) and len(problem.exceptions) == 1:
        problem = problem.exceptions[0]
    return problem


async def _watch_signals(
    scope: anyio.CancelScope, stop: _Stop, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED
) -> None:
    with anyio.open_signal_receiver(*_STOPPING) as signals:
        task_status.started()
        async for number in signals:
            stop.name = signal.Signals(number).name
            scope.cancel()
            return
