"""One running server behind one pipe: send, receive, and record every line."""

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
import anyio.lowlevel
from anyio.abc import TaskGroup

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import LimitHit
from mcp_check_core.process.launch import Exit, Graces, LaunchedProcess, Shutdown
from mcp_check_core.wire.client_side import answer_server
from mcp_check_core.wire.decode import OVERSIZE, VALUES, decode
from mcp_check_core.wire.doubt import may_be_answer
from mcp_check_core.wire.encode import encode_line
from mcp_check_core.wire.faults import Fault, FaultCode
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.lines import Line, LineSplitter
from mcp_check_core.wire.message import Message, MessageKind, RequestId, read_message
from mcp_check_core.wire.outgoing import Outgoing, Sent
from mcp_check_core.wire.pending import Pending, PendingRequests, label
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.stderr import StderrTail
from mcp_check_core.wire.transcript import Direction, Frame, Phase, StreamEnd, Transcript

__all__ = ["Connection", "FrameListener", "StreamEnd", "open_connection"]

FrameListener = Callable[[Frame, bytes], None]
_CHUNK = 64 * 1024
_LINES_A_TURN = 256
"""Lines that are read before deadlines and signals get their turn: some milliseconds of work."""
_ANSWERS = 1_000
"""Requests of one server that we answer; further ones are counted alone."""
_ANSWER_S = 5.0
_DRAIN_S = 0.5
"""How long stdout may stay open after the process ended (a descendant may hold it)."""


class Connection:
    """A JSON-RPC peer over the pipes of a launched process.

    `phase` is set by whoever drives the connection and marks each line that comes; the answer to initialize
    ends `startup` by itself, and `operation` is `post-initialize` with a request in flight. `ended` says why
    reading stopped. No method raises for what the server does; a request always ends in a `Reply`.
    """

    def __init__(self, process: LaunchedProcess, limits: WireLimits, listen: FrameListener | None) -> None:
        """Take a launched process; use `open_connection` instead, which also reads from it."""
        self.process = process
        self.limits = limits
        self.transcript = Transcript(limits.kept_frames, listen)
        self.stderr = StderrTail(limits.stderr_bytes)
        self.phase = Phase.STARTUP
        self.ended: StreamEnd | None = None
        self.limits_hit: list[LimitHit] = []
        self.stdout_bytes = 0
        self._pending = PendingRequests(limits.grace_s)
        self._next_id = 0
        self._answers = 0
        self._outgoing = Outgoing(process.stdin, self._record_sent)
        self._finished = anyio.Event()
        self._closing = anyio.Event()
        self._tasks: TaskGroup | None = None

    @property
    def now_ms(self) -> float:
        """Milliseconds since the server was started."""
        return self.transcript.now_ms

    async def request(
        self,
        method: str,
        params: Mapping[str, Json] | None = None,
        *,
        timeout: float | None = None,
        request_id: RequestId | None = None,
    ) -> Reply:
        """Send a request and wait at most `timeout` seconds for its end (default: a request's limit)."""
        if request_id is None:
            self._next_id += 1
            request_id = self._next_id
        pending = Pending(request_id, method, label(method, params), time.monotonic())
        if self.ended is not None:
            return pending.make(ReplyKind.UNSENT)
        body: dict[str, Json] = {"jsonrpc": "2.0", "id": request_id, "method": method}
        if params is not None:
            body["params"] = dict(params)
        deadline = pending.started + (self.limits.request_s if timeout is None else timeout)
        self._pending.add(pending)
        self._follow_requests()
        try:
            return await self._exchange(pending, body, deadline)
        finally:
            self._pending.remove(pending)
            self._follow_requests()

    async def notify(self, method: str, params: Mapping[str, Json] | None = None) -> bool:
        """Send a notification; False if the server no longer takes anything."""
        body: dict[str, Json] = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            body["params"] = dict(params)
        return await self.send_raw(encode_line(body), body)

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

    def note_limit(self, limit: str, value: int, where: str | None = None) -> None:
        """Remember that a limit was hit, once for each; where: by default what is in flight, or the phase."""
        if not any(hit.limit == limit for hit in self.limits_hit):
            place = where or self._pending.labels or self.phase.value
            self.limits_hit.append(LimitHit(limit, value, place))

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

    async def _write(self, data: bytes, message: Json, timeout: float) -> Sent:
        read = read_message(message)[0] if message is not None else None
        return await self._outgoing.write(self._group, data, read, timeout)

    @property
    def _group(self) -> TaskGroup:
        if self._tasks is None:
            raise RuntimeError("a connection writes only while its context lasts")
        return self._tasks

    def _record_sent(self, data: bytes, message: Message | None) -> None:
        line = data.rstrip(b"\n")
        self.transcript.record(Direction.SENT, line, len(line), self.phase, message)

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

    def _take(self, line: Line) -> None:
        decoded = decode(line.data, self.limits.json_depth) if not line.oversize else OVERSIZE
        faults = list(decoded.faults) or ([Fault(FaultCode.TOO_LARGE, f"{line.size} bytes")] * line.oversize)
        self._note_line_limits(line, faults)
        if not line.ended:
            faults.append(Fault(FaultCode.NO_NEWLINE))
        message: Message | None = None
        if decoded.ok:
            message, more = read_message(decoded.value)
            faults.extend(more)
        during, phase, late = self._pending.labels, self.phase, False
        if message is not None and message.kind is MessageKind.RESPONSE:
            late = self._respond(message, line, faults)
        elif message is None and may_be_answer(line.data, decoded):
            self._pending.doubt_all(line, tuple(faults))
        self.transcript.record(
            Direction.RECEIVED, line.data, line.size, phase, message, tuple(faults), during, late
        )
        if message is not None and message.kind is MessageKind.REQUEST:
            self._serve(message)

    def _note_line_limits(self, line: Line, faults: list[Fault]) -> None:
        codes = {fault.code for fault in faults}
        if line.size > self.limits.line_bytes:
            self.note_limit("line bytes", self.limits.line_bytes)
        elif FaultCode.TOO_LARGE in codes and not line.oversize:
            self.note_limit("values of a line", VALUES)
        if FaultCode.TOO_DEEP in codes:
            self.note_limit("JSON depth", self.limits.json_depth)

    def _respond(self, message: Message, line: Line, faults: list[Fault]) -> bool:
        pending, fault, late = self._pending.match(message)
        if fault is not None:
            faults.append(fault)
        if pending is not None:
            self._pending.answer(pending, message, line, tuple(faults))
            if self.phase is Phase.STARTUP and pending.method == "initialize":
                self.phase = Phase.POST_INITIALIZE
            self._follow_requests()
        elif not late and fault is None:
            self._pending.doubt_all(line, (*faults, Fault(FaultCode.ID_UNKNOWN, "no id of a request")))
        elif not late and fault is not None and fault.code is FaultCode.ID_UNKNOWN:
            self._pending.doubt_all(line, tuple(faults))
        return late

    def _follow_requests(self) -> None:
        """Let `operation` last exactly as long as something is in flight."""
        if self.phase is Phase.POST_INITIALIZE and self._pending.labels is not None:
            self.phase = Phase.OPERATION
        elif self.phase is Phase.OPERATION and self._pending.labels is None:
            self.phase = Phase.POST_INITIALIZE

    def _serve(self, message: Message) -> None:
        self._answers += 1
        if self._answers > _ANSWERS:
            self.note_limit("requests of the server answered", _ANSWERS)
        else:
            self._group.start_soon(self._send_answer, answer_server(message))

    async def _send_answer(self, body: dict[str, Json]) -> None:
        await self._write(encode_line(body), body, _ANSWER_S)


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
