"""One server as it is talked to, whatever carries the messages: requests, faults, limits, transcript."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from anyio.abc import TaskGroup

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import LimitHit
from mcp_check_core.process.launch import Breach, Exit, Graces, Shutdown
from mcp_check_core.wire.client_side import answer_server
from mcp_check_core.wire.decode import OVERSIZE, VALUES, decode
from mcp_check_core.wire.doubt import may_be_answer
from mcp_check_core.wire.envelope import Envelope
from mcp_check_core.wire.faults import Fault, FaultCode
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.lines import Line
from mcp_check_core.wire.message import Message, MessageKind, RequestId, read_message
from mcp_check_core.wire.pending import Pending, PendingRequests, label
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.result_type import result_faults
from mcp_check_core.wire.stderr import StderrTail
from mcp_check_core.wire.transcript import Direction, Frame, Phase, StreamEnd, Transcript

FrameListener = Callable[[Frame, bytes], None]
OPENERS = ("initialize", "server/discover")
"""The requests whose answer ends the start-up."""
_ANSWERS = 1_000
"""Requests of one server that we answer; further ones are counted alone."""


class Behind(Protocol):
    """What is known of the process behind a peer; of one behind a URL nothing ever is."""

    @property
    def exit(self) -> Exit | None:
        """How it ended, None while it runs."""

    @property
    def breach(self) -> Breach | None:
        """The limit of ours for which it was ended."""


@dataclass(frozen=True, slots=True)
class NoProcess:
    """What stands for the process behind a URL: nothing is known of it."""

    exit: Exit | None = None
    breach: Breach | None = None


class Peer(ABC):
    """A JSON-RPC peer. No method raises for what the server does; a request always ends in a `Reply`.

    `phase` is set by whoever drives the peer and marks each message that comes; the answer to initialize or
    server/discover ends `startup` by itself, and `operation` is `post-initialize` with a request in flight.
    `ended` says why reading stopped. `envelope` is set in the modern era: every request goes out in it.
    """

    process: Behind
    stderr: StderrTail

    def __init__(self, limits: WireLimits, listen: FrameListener | None) -> None:
        """Take the limits, and who gets each frame with its bytes."""
        self.limits = limits
        self.transcript = Transcript(limits.kept_frames, listen)
        self.phase = Phase.STARTUP
        self.ended: StreamEnd | None = None
        self.envelope: Envelope | None = None
        self.limits_hit: list[LimitHit] = []
        self.stdout_bytes = 0
        self._pending = PendingRequests(limits.grace_s)
        self._next_id = 0
        self._answers = 0
        self._tasks: TaskGroup | None = None

    @property
    def now_ms(self) -> float:
        """Milliseconds since the server was started, or the conversation with it began."""
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
        if self.envelope is not None:
            params = self.envelope.around(params)
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
        return await self._send(body)

    @abstractmethod
    async def death(self, within: float) -> Exit | None:
        """Wait up to `within` seconds for the server's process to end; None if it runs on or is not ours."""

    @abstractmethod
    async def close(self, graces: Graces | None = None) -> Shutdown:
        """End the conversation in order, and the server where it is ours, and say how it went."""

    def note_limit(self, limit: str, value: int, where: str | None = None) -> None:
        """Remember that a limit was hit, once for each; where: by default what is in flight, or the phase."""
        if not any(hit.limit == limit for hit in self.limits_hit):
            place = where or self._pending.labels or self.phase.value
            self.limits_hit.append(LimitHit(limit, value, place))

    @abstractmethod
    async def _exchange(self, pending: Pending, body: dict[str, Json], deadline: float) -> Reply:
        """Send a request and wait for its end, until `deadline` in monotonic seconds."""

    @abstractmethod
    async def _send(self, body: dict[str, Json]) -> bool:
        """Send a notification."""

    @abstractmethod
    async def _answer(self, body: dict[str, Json]) -> None:
        """Send our answer to a request of the server."""

    @property
    def _group(self) -> TaskGroup:
        if self._tasks is None:
            raise RuntimeError("a connection writes only while its context lasts")
        return self._tasks

    def _record_sent(self, data: bytes, message: Message | None) -> None:
        line = data.rstrip(b"\n")
        self.transcript.record(Direction.SENT, line, len(line), self.phase, message)

    def _take(self, line: Line, only: Pending | None = None) -> tuple[Message | None, tuple[Fault, ...]]:
        """Judge and record what came, end the request that it answers, answer what it asks.

        `only`: the request whose answer it would be, where the way it came says so.
        """
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
            late = self._respond(message, line, faults, only)
        elif message is None and may_be_answer(line.data, decoded):
            self._pending.doubt_all(line, tuple(faults), only)
        elif message is not None and message.kind is MessageKind.REQUEST and self.envelope is not None:
            faults.append(Fault(FaultCode.SERVER_REQUEST, "the modern era has no request of a server"))
        self.transcript.record(
            Direction.RECEIVED, line.data, line.size, phase, message, tuple(faults), during, late
        )
        if message is not None and message.kind is MessageKind.REQUEST:
            self._serve(message)
        return message, tuple(faults)

    def _note_line_limits(self, line: Line, faults: list[Fault]) -> None:
        codes = {fault.code for fault in faults}
        if line.size > self.limits.line_bytes:
            self.note_limit("line bytes", self.limits.line_bytes)
        elif FaultCode.TOO_LARGE in codes and not line.oversize:
            self.note_limit("values of a line", VALUES)
        if FaultCode.TOO_DEEP in codes:
            self.note_limit("JSON depth", self.limits.json_depth)

    def _respond(self, message: Message, line: Line, faults: list[Fault], only: Pending | None) -> bool:
        pending, fault, late = self._pending.match(message)
        if fault is not None:
            faults.append(fault)
        if self.envelope is not None and message.error is None:
            faults.extend(result_faults(message.result))
        if pending is not None:
            self._pending.answer(pending, message, line, tuple(faults))
            if self.phase is Phase.STARTUP and pending.method in OPENERS:
                self.phase = Phase.POST_INITIALIZE
            self._follow_requests()
        elif not late and fault is None:
            unknown = Fault(FaultCode.ID_UNKNOWN, "no id of a request")
            self._pending.doubt_all(line, (*faults, unknown), only, message)
        elif not late and fault is not None and fault.code is FaultCode.ID_UNKNOWN:
            self._pending.doubt_all(line, tuple(faults), only)
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
            self._group.start_soon(self._answer, answer_server(message))
