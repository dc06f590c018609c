"""Several tools at once; who could not reach the server beside another is run again alone."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import anyio

from mcp_trust_check.run.outcome import ToolRun
from mcp_trust_check.run.stop import Stop
from mcp_trust_check.run.tool_process import ToolLaunch, ToolLimits, run_tool

LostServer = Callable[[ToolRun], str | None]


class Listener(Protocol):
    """Is told what the tools are doing."""

    def running(self, short: str, *, again: bool) -> None:
        """A tool starts, for the second time where `again`."""

    def done(self, run: ToolRun) -> None:
        """A tool has ended."""


@dataclass(slots=True)
class Runs:
    """What is known of the runs so far, by the tool's short name; `again` says why a second run was made."""

    done: dict[str, ToolRun] = field(default_factory=dict)
    again: dict[str, str] = field(default_factory=dict)


async def run_side_by_side(
    plans: Sequence[ToolLaunch],
    limits: ToolLimits,
    jobs: int,
    *,
    stop: Stop,
    lost_server: LostServer,
    runs: Runs,
    listener: Listener,
) -> None:
    """Run all tools, at most `jobs` at once, into `runs`; a second run alone replaces the first one.

    A tool that had not started at the stop is a failed run.
    """
    free = anyio.CapacityLimiter(jobs)

    async def one(plan: ToolLaunch) -> None:
        async with free:
            runs.done[plan.short] = await _run(plan, limits, stop, listener)

    async with anyio.create_task_group() as tasks:
        for plan in plans:
            tasks.start_soon(one, plan)
    suspects = _suspects(runs.done, lost_server)
    for plan in plans:
        if plan.short not in suspects or stop.reason is not None:
            continue
        listener.running(plan.short, again=True)
        second = await run_tool(plan, limits, stop)
        listener.done(second)
        if stop.reason is None:
            runs.again[plan.short], runs.done[plan.short] = suspects[plan.short], second


def _suspects(done: Mapping[str, ToolRun], lost_server: LostServer) -> dict[str, str]:
    """Say of each tool that lost its server while another was running how it did."""
    suspects = {}
    for short, run in done.items():
        beside = any(run.overlaps(other) for name, other in done.items() if name != short)
        reason = lost_server(run) if beside and run.failure is None else None
        if reason:
            suspects[short] = reason
    return suspects


async def _run(plan: ToolLaunch, limits: ToolLimits, stop: Stop, listener: Listener) -> ToolRun:
    if stop.reason is not None:
        now = time.monotonic()
        return ToolRun(plan.short, failure=f"it was not started: {stop.reason}", began=now, ended=now)
    listener.running(plan.short, again=False)
    run = await run_tool(plan, limits, stop)
    listener.done(run)
    return run
