"""One running server behind one pipe: send, receive, and record every line."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
import anyio.lowlevel

from mcp_check_core.model.json_value import Json
from mcp_check_core.process.launch import Exit, Graces, LaunchedProcess, Shutdown
from mcp_check_core.wire.encode import encode_line
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.lines import LineSplitter
from mcp_check_core.wire.message import read_message
from mcp_check_core.wire.outgoing import Outgoing, Sent
from mcp_check_core.wire.peer import FrameListener, Peer
from mcp_check_core.wire.pending import Pending
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.stderr import StderrTail
from mcp_check_core.wire.transcript import Phase, StreamEnd

__all__ = ["Connection", "FrameListener", "StreamEnd", "open_connection"]

_CHUNK = 64 * 1024
_LINES_A_TURN = 256
"""Lines that are read before deadlines and signals get their turn: some milliseconds of work."""
_ANSWER_S = 5.0
_DRAIN_S = 0.5
"""How long stdout may stay open after the process ended (a descendant may hold it)."""


class Connection(Peer):
    """A JSON-RPC peer over the pipes of a launched process."""

    process: LaunchedProcess

    def __init__(self, process: LaunchedProcess, limits: WireLimits, listen: FrameListener | None) -> None:
        """Take a launched process; use `open_connection` instead, which also reads from it."""
        super().__init__(limits, listen)
        self.process = process
        self.stderr = StderrTail(limits.stderr_bytes)
        self._outgoing = Outgoing(process.stdin, self._record_sent)
        self._finished = anyio.Event()
        self._closing = anyio.Event()

    async def send_raw(self, data: bytes, message: Json = None) -> bool:
        """Write bytes as they are, at most for the limit of a request; False if they did not all go out.

        Bytes that were begun are written on in the background, so that a server that reads slowly never
        sees half a message; those that were not are dropped.
        """
        return await self._write(data, message, self.limits.request_s) is Sent.ALL

    async def death(self, within: float) -> Exit | None:
        """Wait up to `within` seconds for the process to end; None if it runs on.

        Where it ended, the rest of its output is read first, so that what it said last is there.
        """
        with anyio.move_on_after(within):
            await self.process.wait()
        if self.process.exit is not None:
            await self._drained()
        return self.process.exit

    async def close(self, graces: Graces | None = None) -> Shutdown:
        """End the server in order while its output is still read, and say how it went."""
        self.phase = Phase.SHUTDOWN
        self._closing.set()
        shutdown = await self.process.shutdown(graces or Graces())
        await self._drained()
        return shutdown

    async def _drained(self) -> None:
        with anyio.move_on_after(_DRAIN_S):
            await self._finished.wait()
            await self.stderr.ended.wait()

    async def _exchange(self, pending: Pending, body: dict[str, Json], deadline: float) -> Reply:
        """Send and wait at once: a server may answer before it has read everything."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._send_request, pending, body, deadline)
            reply = await pending.ended_by(deadline)
            tasks.cancel_scope.cancel()
        return reply

    async def _send_request(self, pending: Pending, body: dict[str, Json], deadline: float) -> None:
        sent = await self._write(encode_line(body), body, max(0.0, deadline - time.monotonic()))
        if sent is Sent.REFUSED:
            with anyio.move_on_after(_DRAIN_S):
                await self._finished.wait()
            pending.end(pending.make(ReplyKind.UNSENT))

    async def _send(self, body: dict[str, Json]) -> bool:
        return await self.send_raw(encode_line(body), body)

    async def _answer(self, body: dict[str, Json]) -> None:
        await self._write(encode_line(body), body, _ANSWER_S)

    async def _write(self, data: bytes, message: Json, timeout: float) -> Sent:
        read = read_message(message)[0] if message is not None else None
        return await self._outgoing.write(self._group, data, read, timeout)

    async def read_stdout(self) -> None:
        """Read lines until the stream ends or its limit is reached; then end whatever is in flight.

        Past the limit nothing is read, which holds the server back, until it is to end.
        """
        splitter = LineSplitter(self.limits.line_bytes)
        end = StreamEnd.EOF
        try:
            while end is StreamEnd.EOF:
                chunk = await self.process.stdout.receive(_CHUNK)
                self.stdout_bytes += len(chunk)
                for line in splitter.feed(chunk):
                    self._take(line)
                    if line.number % _LINES_A_TURN == 0:
                        await anyio.lowlevel.checkpoint()
                if self._over_limit():
                    end = StreamEnd.LIMIT
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            pass  # the server's end of the pipe is closed, or ours is: `end` says that it was no limit
        if (rest := splitter.rest()) is not None:
            self._take(rest if end is StreamEnd.EOF else replace(rest, oversize=True, ended=True))
        self.ended = end
        self._pending.end_all(ReplyKind.TOO_LARGE if end is StreamEnd.LIMIT else ReplyKind.CLOSED)
        self._finished.set()
        if end is StreamEnd.LIMIT:
            await self._closing.wait()
            await self._discard_stdout()

    def _over_limit(self) -> bool:
        if self.stdout_bytes > self.limits.stdout_bytes:
            self.note_limit("stdout bytes", self.limits.stdout_bytes)
        elif self.transcript.received > self.limits.stdout_lines:
            self.note_limit("stdout lines", self.limits.stdout_lines)
        else:
            return False
        return True

    async def _discard_stdout(self) -> None:
        try:
            while True:
                self.stdout_bytes += len(await self.process.stdout.receive(_CHUNK))
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            return


@asynccontextmanager
async def open_connection(
    process: LaunchedProcess, limits: WireLimits, listen: FrameListener | None = None
) -> AsyncIterator[Connection]:
    """Read a process's output for as long as the context lasts."""
    connection = Connection(process, limits, listen)
    try:
        async with anyio.create_task_group() as tasks:
            connection._tasks = tasks  # noqa: SLF001 - the pair is one unit; the group exists only here
            tasks.start_soon(connection.read_stdout)
            tasks.start_soon(connection.stderr.drain, process.stderr)
            try:
                yield connection
            finally:
                tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        if len(group.exceptions) == 1:
            raise group.exceptions[0] from None
        raise
