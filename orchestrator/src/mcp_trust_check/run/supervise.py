"""The whole run: bounded in time, stopped by signals, and left only when nothing of it runs any more."""

import signal
import sys
from collections.abc import Sequence

import anyio

from mcp_trust_check.run.side_by_side import Listener, LostServer, Runs, run_side_by_side
from mcp_trust_check.run.stop import Stop
from mcp_trust_check.run.tool_process import ToolLaunch, ToolLimits


def supervise(
    plans: Sequence[ToolLaunch],
    limits: ToolLimits,
    *,
    jobs: int,
    run_s: float,
    lost_server: LostServer,
    listener: Listener,
) -> tuple[Runs, Stop]:
    """Run the tools for at most `run_s` seconds; return what is known, and why they were stopped if so.

    The first SIGINT, SIGTERM or SIGHUP asks each tool for what it knows so far; a second one does not
    wait for that.
    """
    return anyio.run(_supervise, plans, limits, jobs, run_s, lost_server, listener)


async def _supervise(
    plans: Sequence[ToolLaunch],
    limits: ToolLimits,
    jobs: int,
    run_s: float,
    lost_server: LostServer,
    listener: Listener,
) -> tuple[Runs, Stop]:
    stop, runs = Stop(), Runs()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_watch_clock, stop, run_s)
        if sys.platform != "win32":
            tasks.start_soon(_watch_signals, stop, tasks.cancel_scope)
        await run_side_by_side(
            plans, limits, jobs, stop=stop, lost_server=lost_server, runs=runs, listener=listener
        )
        tasks.cancel_scope.cancel()
    return runs, stop


async def _watch_clock(stop: Stop, run_s: float) -> None:
    await anyio.sleep(run_s)
    stop.because(f"the whole run was stopped after {run_s:g} s (--run-timeout)")


async def _watch_signals(stop: Stop, everything: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        async for number in signals:
            if stop.reason is not None and stop.by_user:
                everything.cancel()
                return
            stop.because(f"stopped by {signal.Signals(number).name}", by_user=True)
