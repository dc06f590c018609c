"""One running server behind one pipe: send, receive, and record every line."""

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from enum import StrEnum

import anyio
import anyio.lowlevel
from anyio.abc import TaskGroup

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import LimitHit
from mcp_check_core.process.launch import Exit, Graces, LaunchedProcess, Shutdown
from mcp_check_core.wire.client_side import answer_server
from mcp_check_core.wire.decode import decode
from mcp_check_core.wire.encode import encode_line
from mcp_check_core.wire.faults import Fault, FaultCode
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.lines import Line, LineSplitter
from mcp_check_core.wire.message import Message, MessageKind, RequestId, read_message
from mcp_check_core.wire.pending import Pending, PendingRequests
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.stderr import StderrTail
from mcp_check_core.wire.transcript import Direction, Frame, Phase, Transcript, make_frame

FrameListener = Callable[[Frame, bytes], None]
_CHUNK = 64 * 1024
_ANSWERS = 1_000
"""Requests of one server that we answer; further ones are counted alone."""
_ANSWER_S = 5.0
_DRAIN_S = 0.5
"""How long stdout may stay open after the process ended (a descendant may hold it)."""


class StreamEnd(StrEnum):
    """Why nothing more is read from a server."""

    EOF = "eof"
    LIMIT = "limit"


class Connection:
    """A JSON-RPC peer over the pipes of a launched process.

    `phase` is set by whoever drives the connection and marks each line that comes. `ended` says why reading
    stopped. No method raises for what the server does; a request always ends in a `Reply`.
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
        self.started = time.monotonic()
        self._pending = PendingRequests(limits.grace_s)
        self._next_id = 0
        self._answers = 0
        self._send_lock = anyio.Lock()
        self._finished = anyio.Event()
        self._tasks: TaskGroup | None = None

    @property
    def now_ms(self) -> float:
        """Milliseconds since the server was started."""
        return (time.monotonic() - self.started) * 1000

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
        pending = Pending(request_id, method, _label(method, params), time.monotonic())
        if self.ended is not None:
            return pending.make(ReplyKind.UNSENT)
        body: dict[str, Json] = {"jsonrpc": "2.0", "id": request_id, "method": method}
        if params is not None:
            body["params"] = dict(params)
        deadline = pending.started + (self.limits.request_s if timeout is None else timeout)
        self._pending.add(pending)
        if self.phase is Phase.POST_INITIALIZE:
            self.phase = Phase.OPERATION
        try:
            reply = await self._exchange(pending, encode_line(body), body, deadline)
        finally:
            self._pending.remove(pending)
            if self.phase is Phase.OPERATION and self._pending.labels is None:
                self.phase = Phase.POST_INITIALIZE
        return reply

    async def notify(self, method: str, params: Mapping[str, Json] | None = None) -> bool:
        """Send a notification; False if the server no longer takes anything."""
        body: dict[str, Json] = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            body["params"] = dict(params)
        return await self.send_raw(encode_line(body), body)

    async def send_raw(self, data: bytes, message: Json = None) -> bool:
        """Write bytes as they are, at most for the limit of a request; False if they did not all go out."""
        read = read_message(message)[0] if message is not None else None
        frame = make_frame(
            Direction.SENT,
            self.transcript.sent + 1,
            data.rstrip(b"\n"),
            phase=self.phase,
            at_ms=self.now_ms,
            size=len(data),
            message=read,
        )
        self.transcript.add(frame, data)
        with anyio.move_on_after(self.limits.request_s):
            try:
                async with self._send_lock:
                    await self.process.stdin.send(data)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
                return False
            return True
        return False

    async def death(self, within: float) -> Exit | None:
        """Wait up to `within` seconds for the process to end; None if it runs on."""
        with anyio.move_on_after(within):
            return await self.process.wait()
        return self.process.exit

    async def close(self, graces: Graces | None = None) -> Shutdown:
        """End the server in order while its output is still read, and say how it went."""
        self.phase = Phase.SHUTDOWN
        shutdown = await self.process.shutdown(graces or Graces())
        with anyio.move_on_after(_DRAIN_S):
            await self._finished.wait()
        return shutdown

    async def _exchange(self, pending: Pending, data: bytes, body: Json, deadline: float) -> Reply:
        with anyio.move_on_after(max(0.0, deadline - time.monotonic())):
            if not await self.send_raw(data, body) and self.ended is None:
                with anyio.move_on_after(_DRAIN_S):
                    await self._finished.wait()
        if self.ended is not None:
            pending.end(pending.make(ReplyKind.CLOSED))
        return await pending.ended_by(deadline)

    async def read_stdout(self) -> None:
        """Read lines until the stream ends or its limit is reached; then end whatever is in flight."""
        splitter = LineSplitter(self.limits.line_bytes)
        end = StreamEnd.EOF
        try:
            while True:
                chunk = await self.process.stdout.receive(_CHUNK)
                self.stdout_bytes += len(chunk)
                for line in splitter.feed(chunk):
                    self._take(line)
                if self.stdout_bytes > self.limits.stdout_bytes:
                    self._hit("stdout bytes", self.limits.stdout_bytes)
                    end = StreamEnd.LIMIT
                    break
                await anyio.lowlevel.checkpoint()
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            pass
        if (rest := splitter.rest()) is not None:
            self._take(rest)
        self.ended = end
        self._pending.end_all(ReplyKind.TOO_LARGE if end is StreamEnd.LIMIT else ReplyKind.CLOSED)
        self._finished.set()

    def _take(self, line: Line) -> None:
        decoded = decode(line.data, self.limits.json_depth) if not line.oversize else None
        faults = list(decoded.faults) if decoded else [Fault(FaultCode.TOO_LARGE, f"{line.size} bytes")]
        if line.oversize:
            self._hit("line bytes", self.limits.line_bytes)
        if not line.ended:
            faults.append(Fault(FaultCode.NO_NEWLINE))
        message: Message | None = None
        if decoded and decoded.ok:
            message, more = read_message(decoded.value)
            faults.extend(more)
        during, late = self._pending.labels, False
        if message is not None and message.kind is MessageKind.RESPONSE:
            late = self._respond(message, line, faults)
        elif message is None and _may_be_answer(line, faults):
            self._pending.doubt_all(line, tuple(faults))
        self._record(line, message, tuple(faults), during, late)
        if message is not None and message.kind is MessageKind.REQUEST:
            self._serve(message)

    def _respond(self, message: Message, line: Line, faults: list[Fault]) -> bool:
        pending, fault, late = self._pending.match(message)
        if fault is not None:
            faults.append(fault)
        if pending is not None:
            self._pending.answer(pending, message, line, tuple(faults))
        elif not late and (fault is None or fault.code is FaultCode.ID_UNKNOWN):
            self._pending.doubt_all(line, tuple(faults))
        return late

    def _record(
        self, line: Line, message: Message | None, faults: tuple[Fault, ...], during: str | None, late: bool
    ) -> None:
        frame = make_frame(
            Direction.RECEIVED,
            line.number,
            line.data,
            phase=self.phase,
            at_ms=self.now_ms,
            size=line.size,
            message=message,
            faults=faults,
            during=during,
            late=late,
        )
        self.transcript.add(frame, line.data)

    def _serve(self, message: Message) -> None:
        self._answers += 1
        if self._answers > _ANSWERS:
            self._hit("requests of the server answered", _ANSWERS)
        elif self._tasks is not None:
            self._tasks.start_soon(self._send_answer, answer_server(message))

    async def _send_answer(self, body: dict[str, Json]) -> None:
        with anyio.move_on_after(_ANSWER_S):
            await self.send_raw(encode_line(body), body)

    def _hit(self, limit: str, value: int) -> None:
        where = self._pending.labels or self.phase.value
        if not any(hit.limit == limit for hit in self.limits_hit):
            self.limits_hit.append(LimitHit(limit, value, where))


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


def _label(method: str, params: Mapping[str, Json] | None) -> str:
    name = params.get("name") if params else None
    return f"{method} {name[:80]}" if isinstance(name, str) else method


def _may_be_answer(line: Line, faults: list[Fault]) -> bool:
    """Tell whether a line that is no message must be meant as one: a log line that is JSON is not."""
    if any(fault.code is FaultCode.CONTENT_LENGTH for fault in faults):
        return True
    if line.oversize:
        return line.data.lstrip()[:1] in (b"{", b"[")
    return b'"jsonrpc"' in line.data
