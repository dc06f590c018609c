"""The orderly end of a server: close its stdin, wait, ask, kill; then see what it left running."""

import time
from dataclasses import dataclass
from typing import Protocol

import anyio
from anyio.abc import ByteSendStream

from mcp_check_core.process.carrier import Exit
from mcp_check_core.process.sample import Member

_LOOK_S = 0.02
_KILL_PATIENCE_S = 3.0


@dataclass(frozen=True)
class Graces:
    """Seconds a server gets after its stdin closed, after SIGTERM, and its descendants after its own end."""

    stdin: float = 2.0
    term: float = 2.0
    settle: float = 0.5


INTERRUPTED = Graces(stdin=0.5, term=0.5, settle=0.0)
"""The graces once we were interrupted ourselves."""


@dataclass(frozen=True)
class Shutdown:
    """How a server ended, and what had to be done for it.

    `ms_to_exit` counts from closing its stdin, None where it had ended before or was not seen to end.
    `leftovers` are its descendants that outlived an orderly end; they have been ended. `survivors` is what
    could not be ended: another user's, or stuck in the kernel.
    """

    ms_to_exit: float | None
    closed_stdin: bool
    sent_sigterm: bool
    sent_sigkill: bool
    leftovers: tuple[Member, ...]
    survivors: tuple[Member, ...] = ()


class Running(Protocol):
    """What the sequence needs of a launched process."""

    @property
    def exit(self) -> Exit | None:
        """How it ended, None while it runs."""

    @property
    def stdin(self) -> ByteSendStream:
        """Its standard input."""

    async def wait(self) -> Exit:
        """Wait until it has ended."""

    def members(self) -> tuple[Member, ...]:
        """Return the processes of its tree."""

    def terminate(self) -> None:
        """Send SIGTERM to its group."""

    def kill(self) -> None:
        """Kill the whole tree at once."""


async def end_in_order(process: Running, graces: Graces) -> Shutdown:
    """Go through the sequence as far as the process makes it necessary, and say how far that was.

    A grace of zero skips its step. Members that are left are only reported; ending them is the caller's.
    """
    closed = process.exit is None
    began = time.monotonic()
    await process.stdin.aclose()
    ended = not closed or await _ends_within(process, graces.stdin)
    sent_sigterm = not ended and graces.term > 0
    if sent_sigterm:
        process.terminate()
        ended = await _ends_within(process, graces.term)
    sent_sigkill = not ended
    if sent_sigkill:
        process.kill()
        ended = await _ends_within(process, _KILL_PATIENCE_S)
    took = (time.monotonic() - began) * 1000 if closed and ended else None
    leftovers = () if sent_sigkill else await _left_after(process, graces.settle)
    return Shutdown(took, closed, sent_sigterm, sent_sigkill, leftovers)


async def _ends_within(process: Running, seconds: float) -> bool:
    with anyio.move_on_after(seconds):
        await process.wait()
    return process.exit is not None


async def _left_after(process: Running, seconds: float) -> tuple[Member, ...]:
    """Return the members that are there when `seconds` are over; nothing tells us of their end, so look."""
    looks = round(seconds / _LOOK_S)
    for _ in range(looks):
        if not process.members():
            break
        await anyio.sleep(_LOOK_S)
    return process.members()
