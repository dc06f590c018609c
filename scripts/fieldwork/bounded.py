"""Run a command for a limited time with a hold on all that it starts, and keep the end of what it says."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream

from mcp_check_core.model.bounds import cut_tail
from mcp_check_core.process.launch import LaunchSpec, SpawnError, TreeLimits, launch

TAIL_BYTES = 4_000
_GIB = 1024**3
LIMITS = TreeLimits(max_rss=6 * _GIB, max_processes=256)
"""For an installer, or a tool with its server; a tool holds its server to less."""
_LAST_WORDS_S = 10.0
"""What a tool gets after SIGTERM to write its partial report."""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended; `problem` says in words why it did not run to its end, or is empty."""

    code: int | None
    seconds: float
    tail: str
    problem: str = ""


async def run_bounded(argv: tuple[str, ...], env: Mapping[str, str], cwd: Path, seconds: float) -> Ran:
    """Run a command for at most `seconds`; its whole tree has ended on return. Never raises for it."""
    started = time.monotonic()
    tails = (bytearray(), bytearray())
    try:
        async with launch(LaunchSpec(argv, env, cwd), LIMITS) as process, anyio.create_task_group() as tasks:
            for stream, tail in zip((process.stdout, process.stderr), tails, strict=True):
                tasks.start_soon(_drain, stream, tail)
            with anyio.move_on_after(seconds) as limit:
                await process.wait()
            if limit.cancelled_caught:
                process.terminate()
                with anyio.move_on_after(_LAST_WORDS_S):
                    await process.wait()
            await process.shutdown()
    except SpawnError as problem:
        return Ran(None, 0.0, "", problem.message)
    said = cut_tail(bytes(tails[1] or tails[0]), TAIL_BYTES)
    taken = time.monotonic() - started
    if process.breach is not None:
        breach = process.breach
        return Ran(None, taken, said, f"ended by us: more {breach.limit} than {breach.allowed:g}")
    if limit.cancelled_caught:
        return Ran(None, taken, said, f"ended by us after {seconds:g} s")
    ended = process.exit
    problem_text = f"ended by signal {ended.signal}" if ended and ended.signal is not None else ""
    return Ran(ended.code if ended else None, taken, said, problem_text)


async def _drain(stream: ByteReceiveStream, tail: bytearray) -> None:
    async for chunk in stream:
        tail += chunk
        del tail[:-TAIL_BYTES]
