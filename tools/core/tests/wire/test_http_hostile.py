"""Whatever comes back over HTTP, a request ends in a reply, in time, and the next one can be made."""

import json

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_check_core.wire.reply import Reply, ReplyKind
from tools.core.tests.wire.http_servers import Answer, Request, result, talking

pytestmark = pytest.mark.anyio

BODY = b'{"jsonrpc":"2.0","id":2,"result":{}}'
LENGTH = b"content-length: %d\r\n" % len(BODY)
TYPE = b"content-type: application/json\r\n"
OK = b"HTTP/1.1 200 OK\r\n"
EMPTY = b"content-length: 0\r\n\r\n"


def redirect(location: bytes) -> bytes:
    return b"HTTP/1.1 307 X\r\nlocation: " + location + b"\r\n" + EMPTY


CASES: dict[str, tuple[bytes, ReplyKind]] = {
    "nothing": (b"", ReplyKind.CLOSED),
    "bytes": (b"\x00\xff\xfe garbage\r\n\r\n", ReplyKind.CLOSED),
    "no status line": (BODY, ReplyKind.CLOSED),
    "status 999": (b"HTTP/1.1 999 X\r\n" + EMPTY, ReplyKind.MALFORMED),
    "status 099": (b"HTTP/1.1 099 X\r\n" + EMPTY, ReplyKind.CLOSED),
    "version 1.0": (b"HTTP/1.0 200 OK\r\n" + TYPE + b"\r\n" + BODY, ReplyKind.RESULT),
    "name of a header": (OK + b"\xff\xfe: x\r\n" + EMPTY, ReplyKind.CLOSED),
    "content type": (OK + b"content-type: \xe9\xff\r\ncontent-length: 2\r\n\r\nok", ReplyKind.MALFORMED),
    "negative length": (OK + b"content-length: -5\r\n\r\n", ReplyKind.CLOSED),
    "two lengths": (OK + b"content-length: 5\r\ncontent-length: 6\r\n\r\nhello!", ReplyKind.CLOSED),
    "length beyond all": (OK + b"content-length: 9" + b"9" * 30 + b"\r\n\r\nx", ReplyKind.CLOSED),
    "chunks": (OK + b"transfer-encoding: chunked\r\n\r\nzz\r\nxx", ReplyKind.CLOSED),
    "huge chunk": (OK + b"transfer-encoding: chunked\r\n\r\nffffffffffff\r\nxx", ReplyKind.CLOSED),
    "many heads": (
        b"HTTP/1.1 103 X\r\na: b\r\n\r\n" * 9_000 + OK + TYPE + LENGTH + b"\r\n" + BODY,
        ReplyKind.RESULT,
    ),
    "other protocol": (b"HTTP/1.1 101 X\r\nupgrade: w\r\nconnection: upgrade\r\n\r\nx", ReplyKind.CLOSED),
    "204 with a body": (b"HTTP/1.1 204 No\r\n\r\nxxxx", ReplyKind.MALFORMED),
    "many headers": (OK + b"x: y\r\n" * 200_000 + b"\r\n", ReplyKind.CLOSED),
    "long header": (OK + b"x: " + b"y" * 5_000_000 + b"\r\n\r\n", ReplyKind.CLOSED),
    "cookie": (
        OK + b"set-cookie: \xff=\xfe; Domain=\x01\r\n" + TYPE + LENGTH + b"\r\n" + BODY,
        ReplyKind.RESULT,
    ),
    "redirect to bytes": (redirect(b"\xff\xfe\x80"), ReplyKind.MALFORMED),
    "redirect to half a host": (redirect(b"http://[::1"), ReplyKind.MALFORMED),
    "redirect to no port": (redirect(b"http://127.0.0.1:999999/"), ReplyKind.MALFORMED),
    "redirect of 70,000 letters": (redirect(b"a" * 70_000), ReplyKind.MALFORMED),
    "event id": (
        OK + b"content-type: text/event-stream\r\nconnection: close\r\n\r\nid: a\xe9\ndata: {\n\n",
        ReplyKind.CLOSED,
    ),
    "data of an event": (
        OK + b"content-type: text/event-stream\r\nconnection: close\r\n\r\ndata: \xff\xfe\n\n",
        ReplyKind.CLOSED,
    ),
}


async def call(data: bytes) -> tuple[Reply, bool]:
    """Make a call that is answered by these bytes, and another that is answered well."""

    async def handle(request: Request, answer: Answer) -> None:
        if request.method == "tools/call":
            await answer.raw(data)
            answer.closing = True
        else:
            await answer.json(result(request, {}))

    async with talking(handle) as (session, _):
        reply = await session.call_tool("t", {}, timeout=3)
        return reply, await session.alive()


@pytest.mark.parametrize(("data", "kind"), CASES.values(), ids=CASES)
async def test_bytes_of_a_hostile_server(data: bytes, kind: ReplyKind) -> None:
    with anyio.fail_after(6):
        reply, alive = await call(data)
    assert (reply.kind, alive) == (kind, True)
    assert len(reply.problem or "") < 400


GOOD = OK + TYPE + LENGTH + b"\r\n" + BODY
STREAM = OK + b"content-type: text/event-stream\r\nconnection: close\r\n\r\ndata: " + BODY + b"\n\n"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from([GOOD, STREAM]), st.integers(0, 200), st.binary(max_size=6))
def test_a_response_with_some_bytes_changed(good: bytes, at: int, other: bytes) -> None:
    data = good[:at] + other + good[at + len(other) :]
    reply, alive = anyio.run(call, data)
    assert isinstance(reply, Reply)
    assert alive
    assert json.dumps(reply.problem)
