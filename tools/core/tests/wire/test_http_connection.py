"""Answers over HTTP, good and bad, from a server in which every byte is ours."""

import asyncio
import json
from dataclasses import replace

import anyio
import pytest

from mcp_check_core.wire.faults import FaultCode
from mcp_check_core.wire.http_exchange import HttpExchange, HttpFaultCode
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.session import Session
from mcp_check_core.wire.transcript import Phase, StreamEnd
from tools.core.tests.wire.http_servers import (
    LIMITS,
    STREAM_TYPE,
    WELCOME,
    Answer,
    Handler,
    Request,
    connector,
    error,
    event,
    greeting,
    result,
    serving,
    talking,
)

pytestmark = pytest.mark.anyio


def of(session: Session) -> HttpExchange:
    """Return the record of the last request but one for the session's end."""
    return session.connection.transcript.exchanges[-1]


def faults(session: Session) -> set[HttpFaultCode]:
    return {fault.code for fault in of(session).faults}


async def call(handler: Handler, timeout: float | None = None) -> tuple[Reply, set[HttpFaultCode]]:
    async with talking(handler) as (session, _):
        reply = await session.call_tool("t", {}, timeout=timeout)
        return reply, faults(session)


async def test_a_conversation_in_json() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.json(result(request, {"tools": []}))

    async with talking(handle) as (session, site):
        assert (session.protocol, session.handshake.server.name) == ("2025-11-25", "h")
        assert (await session.list("tools/list")).complete
        assert await session.alive()
        assert (session.connection.phase, session.connection.transcript.invalid) == (Phase.POST_INITIALIZE, 0)
        assert all(not exchange.faults for exchange in session.connection.transcript.exchanges)
    assert site.asked == ["initialize", "notifications/initialized", "tools/list", "ping", "DELETE"]
    first, *others = site.requests
    assert "mcp-session-id" not in first.headers
    assert "mcp-protocol-version" not in first.headers
    for request in others:
        assert request.headers["mcp-session-id"] == "session-1"
        assert request.headers["mcp-protocol-version"] == "2025-11-25"
    for request in site.requests:
        assert request.headers["accept"] == "application/json, text/event-stream"
        assert "mcp-method" not in request.headers


async def test_an_answer_in_a_stream_behind_other_messages() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.stream(b": hello\n\n", b"id: 1\ndata:\n\n", event({"jsonrpc": "2.0", "method": "n/x"}))
        await answer.raw(event(result(request, {"content": []}), id="2"))

    async with talking(handle) as (session, _):
        reply = await session.call_tool("t", {})
        assert (reply.kind, reply.status) == (ReplyKind.RESULT, 200)
        assert session.connection.transcript.methods == {"n/x": 1}
        assert (of(session).events, of(session).content_type) == (2, STREAM_TYPE)
        assert of(session).faults == ()


async def test_a_stream_that_stays_open_after_the_answer_costs_little() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.stream(event(result(request, {})))
        await asyncio.Event().wait()

    with anyio.fail_after(3):
        reply, _ = await call(handle)
    assert reply.kind is ReplyKind.RESULT


async def test_requests_side_by_side_are_answered_in_any_order() -> None:
    first = anyio.Event()

    async def handle(request: Request, answer: Answer) -> None:
        name = request.message["params"]["name"]
        if name == "0":
            await first.wait()
        if name == "9":
            first.set()
        await answer.json(result(request, {"name": name}))

    async with talking(handle) as (session, _):
        got: dict[str, Reply] = {}

        async def one(name: str) -> None:
            got[name] = await session.call_tool(name, {})

        async with anyio.create_task_group() as tasks:
            for number in range(10):
                tasks.start_soon(one, str(number))
        assert {name: reply.fields for name, reply in got.items()} == {
            str(number): {"name": str(number)} for number in range(10)
        }
        assert session.connection.transcript.invalid == 0


async def test_a_request_of_the_server_on_a_stream_is_answered() -> None:
    answered = anyio.Event()

    async def handle(request: Request, answer: Answer) -> None:
        if "method" not in request.message:
            answered.set()
            await answer.body(202, b"", None)
            return
        await answer.stream(event({"jsonrpc": "2.0", "id": "s1", "method": "sampling/createMessage"}))
        await answered.wait()
        await answer.raw(event(result(request, {})))

    async with talking(handle) as (session, site):
        assert (await session.call_tool("t", {})).kind is ReplyKind.RESULT
        (ours,) = [one.message for one in site.requests if one.verb == "POST" and one.method is None]
    assert ours["id"] == "s1"
    assert ours["error"]["code"] == -32601


async def html(request: Request, answer: Answer) -> None:
    await answer.body(502, b"<html>Bad gateway</html>", "text/html")


async def accepted(request: Request, answer: Answer) -> None:
    await answer.body(202, b"", None)


async def wrong_type(request: Request, answer: Answer) -> None:
    await answer.body(200, json.dumps(result(request, {})).encode(), "text/plain")


async def no_type(request: Request, answer: Answer) -> None:
    await answer.body(200, b"hello", None)


async def empty(request: Request, answer: Answer) -> None:
    await answer.body(200, b"")


async def not_json(request: Request, answer: Answer) -> None:
    await answer.body(200, b'{"jsonrpc": "2.0", "id": 3, "result": {')


async def batch(request: Request, answer: Answer) -> None:
    await answer.json([result(request, {})])


async def other_id(request: Request, answer: Answer) -> None:
    await answer.json({"jsonrpc": "2.0", "id": 99, "result": {}})


async def nameless_error(request: Request, answer: Answer) -> None:
    await answer.json({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "bad"}}, 400)


async def error_of_another(request: Request, answer: Answer) -> None:
    wrong = {"code": -32600, "message": "Bad Request: Missing session ID"}
    await answer.json({"jsonrpc": "2.0", "id": "server-error", "error": wrong}, 400)


async def error_without_id(request: Request, answer: Answer) -> None:
    await answer.stream(event({"jsonrpc": "2.0", "error": {"code": -32600, "message": "bad"}}))


async def result_under_500(request: Request, answer: Answer) -> None:
    await answer.json(result(request, {}), 500)


async def stream_ends(request: Request, answer: Answer) -> None:
    await answer.stream(event({"jsonrpc": "2.0", "method": "n/x"}))


async def compressed(request: Request, answer: Answer) -> None:
    await answer.body(200, b"\x1f\x8b", content_encoding="gzip")


async def cut(request: Request, answer: Answer) -> None:
    await answer.head(200, {"content-type": "application/json", "content-length": "500"})
    await answer.raw(b'{"jsonrpc"')
    answer.closing = True


async def no_http(request: Request, answer: Answer) -> None:
    await answer.raw(b"SSH-2.0-x\r\n\r\n")
    answer.closing = True


async def moved(request: Request, answer: Answer) -> None:
    await answer.body(302, b"", None, location="/elsewhere")


async def login(request: Request, answer: Answer) -> None:
    await answer.json({"error": "invalid_token"}, 401, www_authenticate="Bearer")


BAD: dict[str, tuple[Handler, ReplyKind, set[HttpFaultCode], str | None]] = {
    "html": (html, ReplyKind.MALFORMED, {HttpFaultCode.NO_ANSWER}, "HTTP status 502 with text/html"),
    "accepted": (accepted, ReplyKind.MALFORMED, {HttpFaultCode.NO_ANSWER}, "HTTP status 202 without a body"),
    "wrong type": (wrong_type, ReplyKind.RESULT, {HttpFaultCode.CONTENT_TYPE}, None),
    "no type": (
        no_type,
        ReplyKind.MALFORMED,
        {HttpFaultCode.CONTENT_TYPE, HttpFaultCode.NO_ANSWER},
        "HTTP status 200 with a body of no type",
    ),
    "empty": (empty, ReplyKind.MALFORMED, {HttpFaultCode.NO_ANSWER}, "HTTP status 200 without a body"),
    "not json": (not_json, ReplyKind.MALFORMED, {HttpFaultCode.NO_ANSWER}, None),
    "batch": (batch, ReplyKind.MALFORMED, {HttpFaultCode.NO_ANSWER}, None),
    "other id": (other_id, ReplyKind.MALFORMED, {HttpFaultCode.NO_ANSWER}, None),
    "error, null id": (nameless_error, ReplyKind.ERROR, set(), None),
    "error, other id": (error_of_another, ReplyKind.ERROR, set(), None),
    "error, no id": (error_without_id, ReplyKind.ERROR, set(), None),
    "result under 500": (result_under_500, ReplyKind.RESULT, {HttpFaultCode.STATUS}, None),
    "stream ends": (
        stream_ends,
        ReplyKind.CLOSED,
        {HttpFaultCode.NO_ANSWER},
        "the event stream ended before the answer",
    ),
    "compressed": (
        compressed,
        ReplyKind.MALFORMED,
        {HttpFaultCode.CONTENT_ENCODING, HttpFaultCode.NO_ANSWER},
        None,
    ),
    "moved": (
        moved,
        ReplyKind.MALFORMED,
        {HttpFaultCode.REDIRECT, HttpFaultCode.NO_ANSWER},
        "a redirect that turns a POST into a GET (status 302)",
    ),
    "login": (
        login,
        ReplyKind.MALFORMED,
        set(),
        "HTTP status 401 with application/json",
    ),
}


@pytest.mark.parametrize(("handler", "kind", "codes", "problem"), BAD.values(), ids=BAD)
async def test_what_becomes_of_a_bad_answer(
    handler: Handler, kind: ReplyKind, codes: set[HttpFaultCode], problem: str | None
) -> None:
    with anyio.fail_after(4):
        reply, seen = await call(handler)
    assert (reply.kind, seen) == (kind, codes)
    if problem is not None:
        assert reply.problem == problem
    assert reply.login_needed is (handler is login)


@pytest.mark.parametrize("handler", [cut, no_http])
async def test_a_connection_that_breaks(handler: Handler) -> None:
    reply, seen = await call(handler)
    assert (reply.kind, seen) == (ReplyKind.CLOSED, {HttpFaultCode.CUT})
    assert reply.problem is not None
    assert reply.problem.startswith("the connection broke (")


async def test_no_answer_within_the_time() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await asyncio.Event().wait()

    reply, _ = await call(handle, timeout=0.3)
    assert reply.kind is ReplyKind.TIMEOUT
    assert reply.duration_ms < 2_000


async def test_a_stream_without_an_answer_or_an_end() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.stream()
        while True:
            await answer.raw(b": still here\n\n")
            await asyncio.sleep(0.01)

    reply, _ = await call(handle, timeout=0.3)
    assert reply.kind is ReplyKind.TIMEOUT


async def test_a_server_that_is_gone_takes_nothing_more() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        raise AssertionError("the server is closed before")

    async with serving(greeting(handle)) as site:
        opened = connector(site)
        context = opened.session()
        session = await context.__aenter__()
    reply = await session.call_tool("t", {})
    again = await session.call_tool("t", {})
    assert (reply.kind, again.kind) == (ReplyKind.UNSENT, ReplyKind.UNSENT)
    assert reply.problem is not None
    assert reply.problem.startswith("it cannot be reached (")
    assert session.connection.ended is StreamEnd.EOF
    assert not await session.alive()
    assert await session.connection.death(0.1) is None
    await context.__aexit__(None, None, None)


async def limited(
    handler: Handler, **limits: int
) -> tuple[Reply, list[tuple[str, object]], set[HttpFaultCode]]:
    async with talking(handler, replace(LIMITS, **limits)) as (session, _):
        reply = await session.call_tool("t", {})
        hits: list[tuple[str, object]] = [(hit.limit, hit.value) for hit in session.connection.limits_hit]
        return reply, hits, faults(session)


async def test_a_body_over_the_limit() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.json(result(request, {"x": "y" * 500_000}))

    reply, hits, codes = await limited(handle, line_bytes=100_000)
    assert (reply.kind, hits) == (ReplyKind.TOO_LARGE, [("body bytes", 100_000)])
    assert codes == {HttpFaultCode.TOO_LARGE}


async def test_an_event_over_the_limit() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.stream(event(result(request, {"x": "y" * 500_000})))

    reply, hits, codes = await limited(handle, event_bytes=100_000)
    assert (reply.kind, hits) == (ReplyKind.TOO_LARGE, [("event bytes", 100_000)])
    assert HttpFaultCode.EVENT_SIZE in codes


async def test_more_events_than_the_limit() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.stream(*[event({"jsonrpc": "2.0", "method": "n/x"})] * 50)

    reply, hits, codes = await limited(handle, events=20)
    assert (reply.kind, hits) == (ReplyKind.TOO_LARGE, [("events of a stream", 20)])
    assert codes == {HttpFaultCode.TOO_LARGE, HttpFaultCode.NO_ANSWER}


async def test_more_bytes_in_all_than_the_limit() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.json(result(request, {"x": "y" * 50_000}))

    async with talking(handle, replace(LIMITS, stdout_bytes=120_000)) as (session, _):
        kinds = [(await session.call_tool("t", {})).kind for _ in range(4)]
        assert kinds == [ReplyKind.RESULT, ReplyKind.RESULT, ReplyKind.TOO_LARGE, ReplyKind.UNSENT]
        assert [hit.limit for hit in session.connection.limits_hit] == ["bytes received"]


async def test_a_notification_that_is_answered_is_a_fault_and_no_more() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        if request.method == "initialize":
            await answer.json(result(request, WELCOME))
        elif request.method == "notifications/initialized":
            await answer.json({}, 200)
        else:
            await answer.json(result(request, {}))

    async with serving(handle) as site, connector(site).session() as session:
        assert await session.alive()
        (told,) = [one for one in session.connection.transcript.exchanges if one.about.startswith("notif")]
        codes = {fault.code for fault in told.faults}
        assert codes == {HttpFaultCode.NOTIFICATION_STATUS, HttpFaultCode.NOTIFICATION_BODY}
    assert "DELETE" not in site.asked


async def test_a_lost_session_is_begun_again_once_for_all_who_meet_it() -> None:
    sessions: list[str] = []

    async def handle(request: Request, answer: Answer) -> None:
        if request.method == "initialize":
            sessions.append(f"session-{len(sessions) + 1}")
            await answer.json(result(request, WELCOME), mcp_session_id=sessions[-1])
        elif request.headers.get("mcp-session-id") != "session-2" and request.method == "tools/call":
            await answer.json(error(request, -32600, "Session not found"), 404)
        elif request.method == "tools/call":
            await answer.json(result(request, {"content": []}))
        else:
            await answer.body(202, b"", None)

    async with serving(handle) as site, connector(site).session() as session:
        replies: list[Reply] = []

        async def one() -> None:
            replies.append(await session.call_tool("t", {}))

        async with anyio.create_task_group() as tasks:
            for _ in range(4):
                tasks.start_soon(one)
        assert [reply.kind for reply in replies] == [ReplyKind.RESULT] * 4
        assert getattr(session.connection, "sessions_lost", None) == 1
    assert sessions == ["session-1", "session-2"]
    assert len(site.sent("notifications/initialized")) == 2
    assert site.requests[-1].headers["mcp-session-id"] == "session-2"


async def test_a_session_that_is_lost_again_is_an_error() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.json(error(request, -32600, "Session not found"), 404)

    async with talking(handle) as (session, site):
        reply = await session.call_tool("t", {})
        assert (reply.kind, reply.status) == (ReplyKind.ERROR, 404)
        assert reply.error is not None
        assert reply.error.message == "Session not found"
    assert len(site.sent("initialize")) == 2
    assert len(site.sent("tools/call")) == 2


async def test_a_session_that_cannot_be_begun_again() -> None:
    begun = 0

    async def handle(request: Request, answer: Answer) -> None:
        nonlocal begun
        if request.method == "initialize":
            begun += 1
            if begun == 1:
                await answer.json(result(request, WELCOME), mcp_session_id="s")
            else:
                await answer.body(500, b"", None)
        elif request.method == "tools/call":
            await answer.body(404, b"", None)
        else:
            await answer.body(202, b"", None)

    async with serving(handle) as site, connector(site).session() as session:
        reply = await session.call_tool("t", {})
        assert (reply.kind, reply.status) == (ReplyKind.MALFORMED, 404)
        assert reply.problem == "the session was lost (HTTP status 404)"


async def test_the_rest_of_a_stream_is_asked_for_where_it_ended_before() -> None:
    waiting: list[Request] = []

    async def handle(request: Request, answer: Answer) -> None:
        if request.verb == "GET":
            assert request.headers["last-event-id"] == "p1"
            await answer.stream(event(result(waiting[0], {"late": True}), id="p2"))
        else:
            waiting.append(request)
            await answer.stream(b"id: p1\nretry: 10\ndata:\n\n")

    async with talking(handle) as (session, site):
        reply = await session.call_tool("t", {})
        assert reply.fields == {"late": True}
    assert site.asked.count("GET") == 1


async def test_a_stream_is_asked_for_twice_at_most() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.stream(b"id: p1\ndata:\n\n")

    async with talking(handle) as (session, site):
        assert (await session.call_tool("t", {})).kind is ReplyKind.CLOSED
    assert site.asked.count("GET") == 2


async def test_a_session_id_that_no_header_can_hold_is_a_fault() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        if request.method == "initialize":
            await answer.json(result(request, WELCOME), mcp_session_id="two words")
        else:
            await answer.body(202, b"", None)

    async with serving(handle) as site, connector(site).session() as session:
        first = session.connection.transcript.exchanges[0]
        assert [fault.code for fault in first.faults] == [HttpFaultCode.SESSION_ID]
    assert all("mcp-session-id" not in request.headers for request in site.requests)


async def test_frames_are_recorded_as_on_a_pipe() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.json({"jsonrpc": "2.0", "id": request.message["id"], "result": []})

    async with talking(handle) as (session, _):
        reply = await session.call_tool("t", {})
        assert (reply.kind, [fault.code for fault in reply.faults]) == (
            ReplyKind.MALFORMED,
            [FaultCode.RESULT_TYPE],
        )
        frames = session.connection.transcript.frames
        assert [frame.direction.value for frame in frames] == ["sent", "received", "sent", "sent", "received"]
        assert frames[-1].during == "tools/call t"
        assert session.connection.transcript.invalid == 1
