"""One tool as a process of ours: started, read to a bound, held to limits, ended with all that it started."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream

from mcp_check_core.model.report import LimitHit
from mcp_check_core.process.launch import (
    Breach,
    Graces,
    LaunchedProcess,
    LaunchSpec,
    SpawnError,
    TreeLimits,
    launch,
)
from mcp_check_core.report.journal import JournalContents, read_journal
from mcp_check_core.report.json_format import DocumentError
from mcp_trust_check.run.outcome import ToolRun
from mcp_trust_check.run.stop import Stop

LAST_WORDS_S = 2.0
"""What a tool has after SIGTERM to print what it knows."""
STDERR_TAIL = 2_000
"""Bytes of the end of a tool's stderr that are kept."""
_REST_S = 1.0
_AT_ONCE = Graces(stdin=0.0, term=0.0, settle=0.5)
_BREACHES = {"rss": ("memory", "bytes"), "processes": ("processes", "processes")}


@dataclass(frozen=True, slots=True)
class ToolLaunch:
    """How to start one tool: its whole argv and environment, and where it writes its journal."""

    short: str
    argv: tuple[str, ...]
    env: Mapping[str, str]
    journal: Path


@dataclass(frozen=True, slots=True)
class ToolLimits:
    """What one tool's tree may use: seconds, resident bytes, processes, and bytes of each output."""

    wall_s: float = 300.0
    memory: int = 2 * 2**30
    processes: int = 64
    output: int = 64 * 2**20


async def run_tool(plan: ToolLaunch, limits: ToolLimits, stop: Stop) -> ToolRun:
    """Run a tool to its end, or to the limit that it breaks; whatever happens is in what is returned."""
    began = time.monotonic()
    tree = TreeLimits(max_rss=limits.memory, max_processes=limits.processes)
    try:
        async with launch(LaunchSpec(plan.argv, plan.env), tree) as process:
            return await _Watched(plan, limits, stop, process, began).run()
    except SpawnError as problem:
        return ToolRun(plan.short, failure=problem.message, began=began, ended=time.monotonic())


class _Watched:
    def __init__(
        self, plan: ToolLaunch, limits: ToolLimits, stop: Stop, process: LaunchedProcess, began: float
    ) -> None:
        self._plan, self._limits, self._stop, self._process = plan, limits, stop, process
        self._began = began
        self._stdout = bytearray()
        self._stderr = bytearray()
        self._over: LimitHit | None = None
        self._enough = anyio.Event()

    async def run(self) -> ToolRun:
        async with anyio.create_task_group() as readers:
            readers.start_soon(self._read, self._process.stdout, self._stdout, "stdout", None)
            readers.start_soon(self._read, self._process.stderr, self._stderr, "stderr", STDERR_TAIL)
            failure = await self._until_end()
            shutdown = await self._process.shutdown(_AT_ONCE)
            readers.cancel_scope.deadline = anyio.current_time() + _REST_S
        return self._seen(failure, len(shutdown.survivors))

    async def _until_end(self) -> str | None:
        """Wait for the end, and say why if it was not left to come by itself."""
        with anyio.move_on_after(self._limits.wall_s) as clock:
            await self._something()
        if self._process.exit is not None:
            return None
        if self._over is not None:
            return f"it wrote more than {self._over.value} bytes on {self._over.where} and was ended"
        self._process.terminate()
        with anyio.move_on_after(LAST_WORDS_S):
            await self._process.wait()
        if clock.cancelled_caught:
            self._over = LimitHit("tool seconds", self._limits.wall_s, self._plan.short)
            return f"it was ended after {self._limits.wall_s:g} s (--tool-timeout)"
        return f"it was ended: {self._stop.reason}"

    async def _something(self) -> None:
        async with anyio.create_task_group() as waiting:
            for wait in (self._process.wait, self._stop.wait, self._enough.wait):
                waiting.start_soon(_then_cancel, wait, waiting.cancel_scope)

    async def _read(self, stream: ByteReceiveStream, kept: bytearray, name: str, tail: int | None) -> None:
        seen = 0
        while self._over is None:
            try:
                data = await stream.receive()
            except (anyio.EndOfStream, anyio.ClosedResourceError):
                return
            seen += len(data)
            kept += data
            if tail is not None:
                del kept[:-tail]
            if seen > self._limits.output:
                self._over = LimitHit("output bytes", self._limits.output, name)
                self._enough.set()

    def _seen(self, failure: str | None, survivors: int) -> ToolRun:
        process, breach = self._process, self._process.breach
        journal, problem = _journal(self._plan.journal)
        tail = bytes(self._stderr).decode("utf-8", "replace")
        return ToolRun(
            short=self._plan.short,
            stdout=bytes(self._stdout[: self._limits.output]),
            stderr_tail="\n".join(filter(None, (tail, problem))),
            exit_code=process.exit.code if process.exit else None,
            signal=process.exit.signal if process.exit else None,
            failure=_broken(breach) if breach else failure,
            limit=_hit(breach, self._plan.short) if breach else self._over,
            journal=journal,
            usage=process.usage,
            began=self._began,
            ended=time.monotonic(),
            survivors=survivors,
        )


async def _then_cancel(wait: Callable[[], Awaitable[object]], scope: anyio.CancelScope) -> None:
    await wait()
    scope.cancel()


def _broken(breach: Breach) -> str:
    name, unit = _BREACHES.get(breach.limit, (breach.limit, ""))
    return (
        f"it and what it started used {breach.seen:.0f} {unit}, more than the {breach.allowed:.0f} that "
        f"--max-{name} leaves it, and was ended"
    )


def _hit(breach: Breach, short: str) -> LimitHit:
    return LimitHit(_BREACHES.get(breach.limit, (breach.limit, ""))[0], breach.allowed, short)


def _journal(path: Path) -> tuple[JournalContents | None, str]:
    """Read the journal that a tool left, or say why it cannot be read; a tool may have made none."""
    try:
        return read_journal(path), ""
    except FileNotFoundError:
        return None, ""
    except (OSError, DocumentError) as problem:
        return None, f"[its journal cannot be read: {problem}]"
