"""A server behind a URL: each message an HTTP request (Streamable HTTP, 2025-03-26 and later)."""

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace

import anyio

from mcp_check_core.model.json_value import Json
from mcp_check_core.process.launch import Exit, Graces, Shutdown
from mcp_check_core.wire.encode import encode_line
from mcp_check_core.wire.event_stream import EventSplitter
from mcp_check_core.wire.http_body import (
    JSON_TYPE,
    STREAM_TYPE,
    BodyLimits,
    SpentError,
    noting,
    read_body,
    read_events,
    status_words,
)
from mcp_check_core.wire.http_exchange import HttpFaultCode, OpenExchange
from mcp_check_core.wire.http_session import VISIBLE, HttpSession
from mcp_check_core.wire.http_wire import BrokenError, HttpWire, Response, UnreachableError
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.lines import Line
from mcp_check_core.wire.message import Message, read_message
from mcp_check_core.wire.peer import FrameListener, NoProcess, Peer
from mcp_check_core.wire.pending import Pending, label
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.stderr import StderrTail
from mcp_check_core.wire.transcript import Phase, StreamEnd

_LINGER_S = 0.1
"""How long a response may still go on after its answer, so that its connection can be used again."""
_RESUMPTIONS = 2
"""How often the rest of a stream that ended before its answer is asked for."""


@dataclass(slots=True, eq=False)
class _Talk:
    """A request on its way: its message, and the session that it was sent in."""

    pending: Pending
    body: dict[str, Json]
    session: str | None = None


class HttpConnection(Peer):
    """A JSON-RPC peer behind a URL. Requests may be made side by side.

    `ended` is set once no connection can be made any more. `sessions_lost` counts how often the server
    forgot the session; the first time a new one is begun and the request sent again.
    """

    process = NoProcess()

    def __init__(self, wire: HttpWire, limits: WireLimits, listen: FrameListener | None) -> None:
        """Take HTTP to one origin; use `open_http_connection` instead, which also closes it."""
        super().__init__(limits, listen)
        self.stderr = StderrTail(0)
        self.sessions_lost = 0
        self._wire = wire
        self._session = HttpSession()
        self._renewing = anyio.Lock()
        self._exchanges = 0
        self._bounds = BodyLimits(limits, self.note_limit, self._count)

    async def death(self, within: float) -> Exit | None:  # noqa: ARG002 - there is nothing to wait for
        """Say None: a process behind a URL cannot be watched."""
        return None

    async def close(self, graces: Graces | None = None) -> Shutdown:
        """End the session, if there is one, within the first grace."""
        self.phase = Phase.SHUTDOWN
        started = time.monotonic()
        if self._session.id is not None and self.ended is None:
            with anyio.move_on_after((graces or Graces()).stdin):
                await self._delete()
            self._session.id = None
        return Shutdown((time.monotonic() - started) * 1000, True, False, False, ())

    async def _exchange(self, pending: Pending, body: dict[str, Json], deadline: float) -> Reply:
        done = anyio.Event()

        async def talk() -> None:
            await self._converse(_Talk(pending, body))
            done.set()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(talk)
            reply = await pending.ended_by(deadline)
            if reply.answered:
                with anyio.move_on_after(_LINGER_S):
                    await done.wait()
            tasks.cancel_scope.cancel()
        return reply

    async def _converse(self, talk: _Talk) -> None:
        """Send a request; where the server has lost the session, once more in a new one."""
        await self._post(talk)
        if talk.pending.reply is None and await self._renew(talk.session):
            await self._post(talk)
        if talk.pending.reply is None:
            self._end(talk.pending, ReplyKind.MALFORMED, 404, "the session was lost (HTTP status 404)")

    async def _renew(self, lost: str | None) -> bool:
        """Begin a new session in place of `lost`, once for all requests that met its loss."""
        async with self._renewing:
            if self._session.id != lost:
                return self._session.id is not None
            self.sessions_lost += 1
            self._session = HttpSession(opening=self._session.opening)
            reply = await self.request("initialize", self._session.opening)
            return reply.kind is ReplyKind.RESULT and await self.notify("notifications/initialized")

    async def _post(self, talk: _Talk) -> None:
        """Send a request and read its answer; a lost session leaves it without a reply."""
        pending = talk.pending
        talk.session = self._session.id
        try:
            async with self._sent("POST", pending.label, talk.body) as (response, exchange):
                if self._lost(talk, response.status):
                    return
                if response.media_type == STREAM_TYPE and response.status < 400:
                    await self._read_stream(talk, response, exchange)
                else:
                    await self._read_whole(talk, response, exchange)
        except UnreachableError as problem:
            self.ended = StreamEnd.EOF
            self._end(pending, ReplyKind.UNSENT, None, f"it cannot be reached ({problem})")
        except BrokenError as problem:
            self._end(pending, ReplyKind.CLOSED, None, f"the connection broke ({problem})")
        except SpentError:
            self._pending.end_all(ReplyKind.TOO_LARGE)

    def _lost(self, talk: _Talk, status: int) -> bool:
        """Whether a status says that the session is gone, and a new one may be begun or has been."""
        if status != 404 or talk.session is None or talk.pending.method == "initialize":
            return False
        return self.sessions_lost == 0 or talk.session != self._session.id

    async def _read_whole(self, talk: _Talk, response: Response, exchange: OpenExchange) -> None:
        """Read a body that is one message, or ought to be."""
        pending, status = talk.pending, response.status
        data = await read_body(response, exchange, self._bounds)
        said_json = response.media_type == JSON_TYPE
        if status < 300 and not said_json and exchange.size:
            shown = response.media_type or "no content type"
            exchange.fault(HttpFaultCode.CONTENT_TYPE, f"{shown} for a JSON-RPC message")
        if data is None:
            self._end(pending, ReplyKind.TOO_LARGE, status, f"a body of more than {exchange.size} bytes")
        elif data and (said_json or data.lstrip()[:1] == b"{"):
            self._take_answer(talk, Line(exchange.number, data, exchange.size), response, exchange)
        what = response.not_followed or status_words(response, exchange)
        if pending.reply is None:
            exchange.fault(HttpFaultCode.NO_ANSWER, what)
            self._end(pending, ReplyKind.MALFORMED, status, what)
        elif pending.reply.kind is ReplyKind.MALFORMED and status >= 400:
            pending.reply = replace(pending.reply, problem=what)
        elif pending.reply.kind is ReplyKind.RESULT and status >= 400:
            exchange.fault(HttpFaultCode.STATUS, f"a result under status {status}")

    async def _read_stream(self, talk: _Talk, response: Response, exchange: OpenExchange) -> None:
        """Read events until the stream ends; ask for the rest of one that ended before its answer."""
        pending = talk.pending
        splitter = EventSplitter(self.limits.event_bytes)
        await self._read_events(talk, response, exchange, splitter)
        resumed = 0
        while pending.reply is None and self._may_resume(splitter.last_id) and resumed < _RESUMPTIONS:
            resumed += 1
            await anyio.sleep(splitter.retry_ms / 1000)
            headers = {"Last-Event-ID": splitter.last_id or ""}
            async with self._sent("GET", pending.label, None, headers) as (more, again):
                if more.media_type != STREAM_TYPE or more.status >= 400:
                    break
                await self._read_events(talk, more, again, splitter)
        if pending.reply is None:
            over = exchange.events > self.limits.events
            problem = "too many events" if over else "the event stream ended before the answer"
            exchange.fault(HttpFaultCode.NO_ANSWER, problem)
            kind = ReplyKind.TOO_LARGE if over else ReplyKind.CLOSED
            self._end(pending, kind, response.status, problem)

    def _may_resume(self, last_id: str | None) -> bool:
        """Whether the rest of a stream can be asked for: in the handshake era, with an id for a header."""
        return self.envelope is None and last_id is not None and VISIBLE.fullmatch(last_id) is not None

    async def _read_events(
        self, talk: _Talk, response: Response, exchange: OpenExchange, splitter: EventSplitter
    ) -> None:
        async with aclosing(read_events(response, exchange, self._bounds, splitter)) as lines:
            async for line in lines:
                self._take_answer(talk, line, response, exchange)

    def _take_answer(self, talk: _Talk, line: Line, response: Response, exchange: OpenExchange) -> None:
        """Take what came; an error that names no request is meant for the one whose response carries it.

        Servers on the Python SDK 1.x give such an error the id `server-error`, others null or none.
        """
        pending, before = talk.pending, talk.pending.reply
        message, faults = self._take(line, pending)
        error = message is not None and message.error is not None
        nameless = error and message is not None and (message.id is None or response.status >= 400)
        if pending.reply is None and message is not None and nameless:
            self._pending.answer(pending, message, line, faults)
        if before is not None or pending.reply is None:
            return
        pending.reply = reply = replace(pending.reply, status=response.status)
        if reply.kind is ReplyKind.RESULT:
            self._session.learn(reply, talk.body, response.headers, exchange, self.limits.items)

    async def _send(self, body: dict[str, Json]) -> bool:
        """Send what has no answer: a notification, or an answer of ours."""
        about = label(str(body.get("method", "answer")), None)
        if self.ended is not None:
            return False
        try:
            with anyio.fail_after(self.limits.request_s):
                async with self._sent("POST", about, body) as (response, exchange):
                    if response.status != 202:
                        detail = response.not_followed or f"status {response.status}"
                        exchange.fault(HttpFaultCode.NOTIFICATION_STATUS, detail)
                    if await read_body(response, exchange, self._bounds) and response.status < 300:
                        exchange.fault(HttpFaultCode.NOTIFICATION_BODY, f"{exchange.size} bytes")
                    return response.status < 300
        except (UnreachableError, BrokenError, SpentError, TimeoutError):
            return False

    async def _answer(self, body: dict[str, Json]) -> None:
        await self._send(body)

    def _serve(self, message: Message) -> None:
        """Answer a request of the server; in the modern era there is no way to."""
        if self.envelope is None:
            super()._serve(message)

    async def _delete(self) -> None:
        try:
            async with self._sent("DELETE", "the session", None) as (response, exchange):
                await read_body(response, exchange, self._bounds)
        except (UnreachableError, BrokenError, SpentError):
            return

    @asynccontextmanager
    async def _sent(
        self, verb: str, about: str, body: dict[str, Json] | None, more: Mapping[str, str] | None = None
    ) -> AsyncIterator[tuple[Response, OpenExchange]]:
        """Send one HTTP request and record it, however it goes."""
        self._exchanges += 1
        exchange = OpenExchange(self._exchanges, verb, about, self.now_ms)
        content = None
        if body is not None:
            content = encode_line(body).rstrip(b"\n")
            self._record_sent(content, read_message(body)[0])
        headers = {**self._session.headers(body, modern=self.envelope is not None), **(more or {})}
        try:
            with noting(exchange):
                async with self._wire.send(verb, headers, content) as response:
                    exchange.status, exchange.redirects = response.status, response.redirects
                    exchange.content_type = response.content_type
                    if response.not_followed is not None:
                        exchange.fault(HttpFaultCode.REDIRECT, response.not_followed)
                    yield response, exchange
        finally:
            self.transcript.record_exchange(exchange.finish())

    def _end(self, pending: Pending, kind: ReplyKind, status: int | None, problem: str) -> None:
        """End a request without an answer; what may have been a broken one goes before."""
        reply = pending.suspect or replace(pending.make(kind), problem=problem)
        pending.end(replace(reply, status=status))

    def _count(self, size: int) -> None:
        self.stdout_bytes += size
        if self.stdout_bytes > self.limits.stdout_bytes:
            self.note_limit("bytes received", self.limits.stdout_bytes)
            self.ended = StreamEnd.LIMIT
            raise SpentError


@asynccontextmanager
async def open_http_connection(
    wire: HttpWire, limits: WireLimits, listen: FrameListener | None = None
) -> AsyncIterator[HttpConnection]:
    """Talk to a URL for as long as the context lasts."""
    connection = HttpConnection(wire, limits, listen)
    try:
        async with wire, anyio.create_task_group() as tasks:
            connection._tasks = tasks  # noqa: SLF001 - the pair is one unit; the group exists only here
            try:
                yield connection
            finally:
                tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        if len(group.exceptions) == 1:
            raise group.exceptions[0] from None
        raise
