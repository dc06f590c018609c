"""Starts a process below a sentinel, and speaks with the sentinel over two pipes."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress

import anyio

from mcp_check_core.process.carrier import (
    Exit,
    LaunchSpec,
    SpawnError,
    close_streams,
    refuse_empty,
    spawn_error,
)
from mcp_check_core.process.environment import bare_python
from mcp_check_core.process.sample import Sample, carrying, identity, take_below

if sys.platform != "win32":
    from mcp_check_core.process.streams import PipeReader, PipeWriter
    from mcp_check_core.process.tree import below, end, living, snapshot

assert sys.platform != "win32"  # noqa: S101 - the form that type checkers read

_UNDO_PATIENCE_S = 5.0


class PosixCarrier:
    """A server below its sentinel; `holder_pid` is the sentinel."""

    def __init__(self, sentinel: subprocess.Popen[bytes], pipes: "_Pipes") -> None:
        """Take over the started `sentinel` and our ends of the pipes."""
        self.pid = 0
        self.holder_pid = sentinel.pid
        self.stdin = PipeWriter(pipes.stdin[1])
        self.stdout = PipeReader(pipes.stdout[0])
        self.stderr = PipeReader(pipes.stderr[0])
        self._sentinel = sentinel
        self._control: int | None = pipes.control[1]
        self._status = PipeReader(pipes.status[0])
        self._pending = b""
        self._holders: frozenset[int] = frozenset()

    async def started(self, spec: LaunchSpec) -> None:
        """Wait until the server runs; raises `SpawnError` where it cannot."""
        match (await self._line() or "").split():
            case ["started", pid, *holders]:
                self.pid = int(pid)
                self._holders = frozenset(map(int, holders))
            case ["failed", stage, number]:
                raise spawn_error(spec, int(number), stage)
            case _:
                raise SpawnError("ESRCH", f"cannot start {spec.argv[0]!r}: its sentinel ended first")

    def look(self, at_most: int | None = None) -> Sample:
        """Return the use of all below the sentinel, without what holds a sandbox but for its CPU time."""
        most = None if at_most is None else at_most + len(self._holders)
        sample = take_below(self.holder_pid, most)
        readings = tuple(reading for reading in sample.readings if reading.pid not in self._holders)
        return Sample(readings, sample.cpu_s)

    async def next_exit(self) -> Exit | None:
        """Return how the server ended; None once the sentinel is gone."""
        match (await self._line() or "").split():
            case ["exit", code]:
                return Exit(code=int(code))
            case ["signal", number]:
                return Exit(signal=int(number))
            case _:
                return None

    async def gone(self) -> None:
        """Wait until the sentinel has nothing more to say, since it has ended."""
        while await self._line() is not None:
            continue

    def terminate(self) -> None:
        """Send SIGTERM to the server's process group."""
        self._command(b"T")

    def end(self, *, at_once: bool) -> None:
        """Have the sentinel end the tree."""
        self._command(b"K" if at_once else b"E")

    def abandon(self) -> None:
        """Kill the sentinel, which takes the server with it on Linux (PR_SET_PDEATHSIG)."""
        self._sentinel.kill()

    def close(self) -> None:
        """Close the control pipe, at which the sentinel ends the tree and itself."""
        if self._control is not None:
            os.close(self._control)
            self._control = None
            self._awaken()

    def sweep(self, known: Mapping[int, float], marker: str) -> None:
        """End what outlived the sentinel, which was killed or, not on Linux, did not reach all."""
        end(lambda: self._strays(known, marker), 0.0)

    async def reap(self) -> None:
        """Collect the sentinel."""
        await anyio.to_thread.run_sync(self._sentinel.wait, abandon_on_cancel=True)
        await self._status.aclose()

    def _strays(self, known: Mapping[int, float], marker: str) -> set[int]:
        table = snapshot()
        roots = {pid for pid, started in known.items() if identity(pid) == started} | carrying(marker)
        return living(roots | below(roots, table), table) - {os.getpid(), self.holder_pid}

    def _command(self, command: bytes) -> None:
        if self._control is not None:
            with suppress(BrokenPipeError):  # the sentinel is gone, which `next_exit` tells
                os.write(self._control, command)
            self._awaken()

    def _awaken(self) -> None:
        """Undo a SIGSTOP that the server may have sent to its sentinel."""
        self._sentinel.send_signal(signal.SIGCONT)

    async def _line(self) -> str | None:
        while b"\n" not in self._pending:
            try:
                self._pending += await self._status.receive()
            except anyio.EndOfStream:
                return None
        line, _, self._pending = self._pending.partition(b"\n")
        return line.decode()


async def spawn(spec: LaunchSpec) -> PosixCarrier:
    """Start `spec` and return once it runs; raises `SpawnError`, and then nothing is left behind."""
    refuse_empty(spec)
    carrier = _start_sentinel(spec)
    try:
        await carrier.started(spec)
    except BaseException:
        with anyio.CancelScope(shield=True):
            await _undo(carrier)
        raise
    return carrier


async def _undo(carrier: PosixCarrier) -> None:
    """End a start that failed or is no longer wanted; the sentinel may not have come to forking yet."""
    carrier.end(at_once=True)
    carrier.close()
    with anyio.move_on_after(_UNDO_PATIENCE_S):
        await carrier.gone()
    carrier.abandon()
    await carrier.reap()
    await close_streams(carrier)


class _Pipes:
    """The five pipes of a launch as (read end, write end)."""

    def __init__(self) -> None:
        self.opened: list[int] = []
        try:
            self.stdin, self.stdout, self.stderr = self._open(), self._open(), self._open()
            self.control, self.status = self._open(), self._open()
        except OSError:
            self.close(self.opened)
            raise

    def _open(self) -> tuple[int, int]:
        ends = os.pipe()
        self.opened.extend(ends)
        return ends

    def theirs(self) -> list[int]:
        """Return the ends that belong to the sentinel."""
        return [self.stdin[0], self.stdout[1], self.stderr[1], self.control[0], self.status[1]]

    @staticmethod
    def close(descriptors: list[int]) -> None:
        """Close the descriptors given."""
        for descriptor in descriptors:
            os.close(descriptor)


def _start_sentinel(spec: LaunchSpec) -> PosixCarrier:
    try:
        pipes = _Pipes()
    except OSError as error:
        raise spawn_error(spec, error.errno or errno.EIO) from error
    arguments = [str(pipes.control[0]), str(pipes.status[1]), str(spec.cwd or "")]
    arguments += [str(len(spec.enclosure)), *spec.enclosure, *spec.argv]
    try:
        sentinel = subprocess.Popen(
            [*bare_python("sentinel", spec.env), *arguments],
            stdin=pipes.stdin[0],
            stdout=pipes.stdout[1],
            stderr=pipes.stderr[1],
            pass_fds=(pipes.control[0], pipes.status[1]),
            env=dict(spec.env),
            start_new_session=True,
        )
    except OSError as error:
        pipes.close(pipes.opened)
        raise spawn_error(spec, error.errno or errno.EIO) from error
    except ValueError as error:
        pipes.close(pipes.opened)
        raise SpawnError("EINVAL", f"cannot start {spec.argv[0]!r}: {error}") from error
    pipes.close(pipes.theirs())
    return PosixCarrier(sentinel, pipes)
