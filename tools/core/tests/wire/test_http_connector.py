"""Which server behind a URL can be talked to, in which era, and what it means where one cannot."""

import asyncio
import socket
import ssl
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import ErrorKind, RunError
from mcp_check_core.process.launch import TreeLimits
from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.connector import ConnectFailure, Connector, NotConnectedError
from mcp_check_core.wire.eras import find_eras
from mcp_check_core.wire.http_connector import HttpConnector, make_connector
from mcp_check_core.wire.http_wire import HttpWire
from mcp_check_core.wire.no_connection import connection_problem
from mcp_check_core.wire.reply import ReplyKind
from mcp_check_core.wire.target import HttpTarget, StdioTarget
from mcp_check_core.wire.versions import LATEST_MODERN, Era
from tools.core.tests.wire.http_servers import (
    LIMITS,
    WELCOME,
    Answer,
    Handler,
    Request,
    connector,
    error,
    greet,
    greeting,
    modern,
    result,
    serving,
)

pytestmark = pytest.mark.anyio

CANARY = "canary-of-a-credential"


async def refused(opener: HttpConnector, version: str | None = None) -> NotConnectedError:
    with pytest.raises(NotConnectedError) as caught:
        async with opener.session(version):
            pytest.fail("there must be no session")
    return caught.value


async def failing(handler: Handler) -> tuple[NotConnectedError, list[str]]:
    async with serving(handler) as site:
        return await refused(connector(site)), site.asked


async def test_a_modern_server_is_found_where_initialize_is_refused() -> None:
    async with serving(modern) as site, connector(site).session() as session:
        assert (session.era, session.protocol) == (Era.MODERN, "2026-07-28")
        before = await session.call_tool("t", {"city": "Oslo"})
        listing = await session.list("tools/list")
        after = await session.call_tool("t", {"city": "Malmö"})
        assert listing.complete
        assert [hint.problem for hint in listing.cache] == [None]
        assert (before.fields["got"], after.fields["got"]) == (
            {"city": None},
            {"city": "=?base64?TWFsbcO2?="},
        )
        unknown = await session.request("resources/read", {"uri": "a:b"})
        assert (unknown.kind, unknown.status) == (ReplyKind.ERROR, 400)
        assert await session.alive()
    assert site.asked[:2] == ["initialize", "server/discover"]
    assert "DELETE" not in site.asked


async def test_the_eras_of_a_server() -> None:
    async def dual(request: Request, answer: Answer) -> None:
        handle = modern if "mcp-method" in request.headers else greeting(modern)
        await handle(request, answer)

    async with serving(dual) as site:
        eras = await find_eras(connector(site))
        assert eras.versions == ("2025-11-25", "2026-07-28")
        async with connector(site, protocol=LATEST_MODERN).session() as session:
            assert session.era is Era.MODERN
        async with connector(site).session() as session:
            assert session.era is Era.HANDSHAKE
    async with serving(modern) as site:
        eras = await find_eras(connector(site))
        assert eras.versions == ("2026-07-28",)
        assert eras.handshake.supported == ("2026-07-28",)


@pytest.mark.parametrize("status", [401, 403])
async def test_a_login_is_no_defect_and_no_evidence_of_an_era(status: int) -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.json(error(request, -32000, "unauthorized"), status, www_authenticate="Bearer")

    problem, asked = await failing(handle)
    assert (problem.failure, problem.message) == (
        ConnectFailure.AUTH,
        f"it wants a login (HTTP status {status})",
    )
    assert asked == ["initialize"]
    told = connection_problem(problem)
    assert isinstance(told, RunError)
    assert told.kind is ErrorKind.AUTH_REQUIRED
    async with serving(handle) as site:
        with pytest.raises(NotConnectedError) as caught:
            await find_eras(connector(site))
        assert caught.value.failure is ConnectFailure.AUTH


async def gateway(request: Request, answer: Answer) -> None:
    await answer.body(502, b"<html>", "text/html")


async def broken(request: Request, answer: Answer) -> None:
    await answer.json(error(request, -32603, "oops"), 500)


async def silent(request: Request, answer: Answer) -> None:
    await asyncio.Event().wait()


async def busy(request: Request, answer: Answer) -> None:
    await answer.body(429, b"", None)


async def nowhere(request: Request, answer: Answer) -> None:
    await answer.body(404, b"not here", "text/plain")


async def unusable(request: Request, answer: Answer) -> None:
    await answer.json(result(request, {**WELCOME, "capabilities": 5}))


FAILURES: dict[str, tuple[Handler, ConnectFailure, str, list[str]]] = {
    "gateway": (
        gateway,
        ConnectFailure.REFUSED,
        "it did not answer initialize: HTTP status 502 with text/html",
        ["initialize"],
    ),
    "broken": (
        broken,
        ConnectFailure.REFUSED,
        "it answered initialize with error -32603: oops",
        ["initialize"],
    ),
    "silent": (
        silent,
        ConnectFailure.TIMEOUT,
        "it did not answer initialize within 1 s",
        ["initialize"],
    ),
    "busy": (
        busy,
        ConnectFailure.REFUSED,
        "it did not answer initialize: HTTP status 429 without a body",
        ["initialize"],
    ),
    "nowhere": (
        nowhere,
        ConnectFailure.REFUSED,
        "it did not answer initialize: HTTP status 404 with text/plain",
        ["initialize", "GET", "server/discover"],
    ),
    "unusable": (
        unusable,
        ConnectFailure.UNUSABLE,
        "capabilities in its answer to initialize are integer, not an object",
        ["initialize"],
    ),
}


@pytest.mark.parametrize(("handler", "failure", "message", "asked"), FAILURES.values(), ids=FAILURES)
async def test_why_there_is_no_session(
    handler: Handler, failure: ConnectFailure, message: str, asked: list[str]
) -> None:
    async with serving(handler) as site:
        problem = await refused(connector(site, replace(LIMITS, startup_s=1.0)))
    assert (problem.failure, problem.message, site.asked) == (failure, message, asked)
    told = connection_problem(problem)
    assert isinstance(told, Finding)
    assert "stdin" not in (told.hint or "")
    assert (told.evidence or {})["transport"] == "streamable-http"


async def test_the_old_transport_is_recognised_and_said_in_words() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        if request.verb == "GET":
            await answer.stream(b"event: endpoint\ndata: /messages?session=1\n\n")
            await asyncio.Event().wait()
        else:
            await answer.body(405, b"", None)

    with anyio.fail_after(4):
        problem, asked = await failing(handle)
    assert (
        problem.message == "it speaks HTTP+SSE with two endpoints (2024-11-05), which is not supported here"
    )
    assert (asked, problem.evidence["transport"]) == (["initialize", "GET"], "http+sse")


async def test_a_stream_that_says_nothing_is_not_waited_for() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        if request.verb == "GET":
            await answer.stream()
            await asyncio.Event().wait()
        else:
            await answer.body(404, b"", None)

    with anyio.fail_after(4):
        problem, _ = await failing(handle)
    assert problem.failure is ConnectFailure.REFUSED


async def test_a_missing_credential_sends_nothing() -> None:
    async with serving(modern) as site:
        target = HttpTarget(site.url, missing=("Authorization",))
        problem = await refused(HttpConnector(target, client_info("0"), LIMITS))
        assert site.asked == []
    told = connection_problem(problem)
    assert isinstance(told, RunError)
    assert (told.kind, problem.message) == (
        ErrorKind.MISSING_CREDENTIAL,
        "the value of the header Authorization is not set",
    )


def unused_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "no-such-host.invalid", "xn--\x7f", "é\u200b.invalid"])
async def test_a_host_that_cannot_be_reached_is_no_defect(host: str) -> None:
    target = HttpTarget(f"http://{host.format(port=unused_port())}/mcp")
    problem = await refused(HttpConnector(target, client_info("0"), LIMITS))
    assert problem.failure is ConnectFailure.UNREACHABLE
    assert problem.message.startswith("it cannot be reached (")
    told = connection_problem(problem)
    assert isinstance(told, RunError)
    assert told.kind is ErrorKind.UNREACHABLE


async def test_a_server_without_tls_behind_https_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    async with serving(modern) as site:
        target = HttpTarget(site.url.replace("http:", "https:"))
        with anyio.fail_after(5):
            problem = await refused(HttpConnector(target, client_info("0"), LIMITS))
    assert problem.failure is ConnectFailure.UNREACHABLE


async def test_redirects_within_the_origin_are_followed_with_method_body_and_headers() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        hops = {"/mcp": "/a", "/a": "b", "/b": "/end"}
        if request.path in hops:
            await answer.body(307 if request.path == "/a" else 308, b"", None, location=hops[request.path])
        else:
            await greeting(modern)(request, answer)

    async with serving(handle) as site, connector(site, headers={"X-Key": CANARY}).session() as session:
        assert session.protocol == "2025-11-25"
        assert session.connection.transcript.exchanges[0].redirects == 3
    first = site.requests[:4]
    assert [request.path for request in first] == ["/mcp", "/a", "/b", "/end"]
    assert {request.body for request in first} == {first[0].body}
    assert {request.headers["x-key"] for request in first} == {CANARY}


async def test_more_redirects_than_the_limit() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.body(307, b"", None, location="/mcp")

    problem, asked = await failing(handle)
    assert problem.message == "it did not answer initialize: more than 3 redirects"
    assert asked == ["initialize"] * 4


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_no_redirect_leads_to_another_origin_and_no_credential_crosses(status: int) -> None:
    async with serving(greeting(modern)) as other:

        async def handle(request: Request, answer: Answer) -> None:
            await answer.body(status, b"", None, location=other.url)

        async with serving(handle) as site:
            opener = connector(site, headers={"Authorization": f"Bearer {CANARY}"})
            problem = await refused(opener)
        assert other.requests == []
    origin = other.url.removesuffix("/mcp")
    assert problem.message == f"it did not answer initialize: a redirect to another origin, {origin}"
    assert CANARY not in repr(problem.evidence)


@pytest.mark.parametrize(
    "location", ["//127.0.0.1:1/x", "https://127.0.0.1/mcp", "ftp://x/", "http://[", None]
)
async def test_a_redirect_to_what_is_not_this_origin_is_the_answer(location: str | None) -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.body(307, b"", None, **({"location": location} if location else {}))

    problem, asked = await failing(handle)
    assert problem.failure is ConnectFailure.REFUSED
    assert "a redirect " in problem.message
    assert asked == ["initialize"]


async def test_user_and_password_of_a_url_go_into_a_header_and_nowhere_else() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        assert request.headers["authorization"] == "Basic dXNlcjpwQHNz"
        if request.path == "/mcp":
            await answer.body(307, b"", None, location="/next")
        else:
            await greet(request, answer)

    async with serving(handle) as site:
        url = site.url.replace("http://", "http://user:p%40ss@")
        async with HttpConnector(HttpTarget(url), client_info("0"), LIMITS).session():
            assert "@" not in site.requests[0].headers["host"]


async def test_plain_http_passes_every_proxy_by(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{unused_port()}")
    async with serving(modern) as site, connector(site).session() as session:
        assert session.era is Era.MODERN


async def test_https_goes_through_the_proxy_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bytes] = []

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 403 Forbidden\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(proxy, "127.0.0.1", 0)
    try:
        port = server.sockets[0].getsockname()[1]
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{port}")
        target = HttpTarget("https://server.invalid/mcp", {"Authorization": f"Bearer {CANARY}"})
        problem = await refused(HttpConnector(target, client_info("0"), LIMITS))
    finally:
        server.close()
        await server.wait_closed()
    assert problem.failure is ConnectFailure.UNREACHABLE
    assert seen[0].startswith(b"CONNECT server.invalid:443 ")
    assert CANARY.encode() not in b"".join(seen)


async def test_a_certificate_is_verified() -> None:
    wire = HttpWire(HttpTarget("https://127.0.0.1/mcp"), LIMITS)
    transport = wire._client._transport
    context = getattr(getattr(transport, "_pool", None), "_ssl_context", None)
    assert context is not None
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


async def test_limits_that_were_hit_and_conversations_are_gathered() -> None:
    async def handle(request: Request, answer: Answer) -> None:
        await answer.json(result(request, {"x": "y" * 5_000}))

    async with serving(greeting(handle)) as site:
        opener = connector(site, replace(LIMITS, line_bytes=1_000))
        for _ in range(2):
            async with opener.session() as session:
                await session.call_tool("t", {})
    assert opener.starts == 2
    assert [(hit.limit, hit.value, hit.where) for hit in opener.limits_hit] == [
        ("body bytes", 1_000, "tools/call t")
    ]


def test_http_is_loaded_where_a_url_is_checked_and_not_before() -> None:
    names = "connector, eras, http_connector, no_connection, session"
    loaded = "print('httpx2' in sys.modules, 'ssl' in sys.modules)"
    program = f"import sys\nfrom mcp_check_core.wire import {names}\n{loaded}"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "False False\n"


def test_one_function_makes_what_opens_either_kind_of_target(tmp_path: Path) -> None:
    client: dict[str, Json] = client_info("0")
    stdio = make_connector(StdioTarget(("x",), protocol="2025-06-18"), client, LIMITS, TreeLimits())
    http = make_connector(HttpTarget("http://127.0.0.1/mcp"), client)
    assert isinstance(stdio, Connector)
    assert isinstance(http, HttpConnector)
    assert (stdio.protocol, http.protocol) == ("2025-06-18", "auto")
