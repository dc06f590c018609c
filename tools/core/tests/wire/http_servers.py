"""A small HTTP server in this process, in which every byte of an answer is the test's own."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.http_connector import HttpConnector
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.session import Session
from mcp_check_core.wire.target import HttpTarget
from mcp_check_core.wire.versions import AUTO

LIMITS = WireLimits(startup_s=5.0, request_s=5.0, probe_s=1.0, grace_s=0.2)
JSON_TYPE = "application/json"
STREAM_TYPE = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came; names of headers in small letters."""

    verb: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def message(self) -> dict[str, Any]:
        found = json.loads(self.body) if self.body else {}
        assert isinstance(found, dict)
        return found

    @property
    def method(self) -> str | None:
        return self.message.get("method")


@dataclass(slots=True)
class Answer:
    """Writes the response to one request."""

    writer: asyncio.StreamWriter
    closing: bool = False

    async def raw(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def head(self, status: int, headers: Mapping[str, str]) -> None:
        phrase = HTTPStatus(status).phrase
        lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in headers.items())]
        await self.raw(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))

    async def body(self, status: int, data: bytes, media: str | None = JSON_TYPE, **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        typed = {"content-type": media} if media is not None else {}
        await self.head(status, {"content-length": str(len(data)), **typed, **named})
        await self.raw(data)

    async def json(self, value: object, status: int = 200, **headers: str) -> None:
        await self.body(status, json.dumps(value).encode(), **headers)

    async def stream(self, *events: bytes, **headers: str) -> None:
        """Begin an event stream that ends with the connection, and write events to it."""
        self.closing = True
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        await self.head(200, {"content-type": STREAM_TYPE, "connection": "close", **named})
        for event in events:
            await self.raw(event)


Handler = Callable[[Request, Answer], Awaitable[None]]


@dataclass(slots=True)
class Site:
    """A server that runs, and what it was asked."""

    url: str
    requests: list[Request] = field(default_factory=list)

    def sent(self, method: str) -> list[Request]:
        return [request for request in self.requests if request.verb == "POST" and request.method == method]

    @property
    def asked(self) -> list[str]:
        return [request.method or request.verb for request in self.requests]


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[Site]:
    """Serve on a free port of the loopback; nothing of it is left afterwards."""
    site = Site("")
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            while (request := await _read(reader)) is not None:
                site.requests.append(request)
                answer = Answer(writer)
                await handler(request, answer)
                if answer.closing:
                    break
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            tasks.discard(task)
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    site.url = f"http://127.0.0.1:{port}/mcp"
    try:
        yield site
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()


async def _read(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    verb, path, _ = first.split(" ")
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(verb, path, headers, body)


def result(request: Request, members: Mapping[str, object]) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": request.message["id"], "result": dict(members)}


def error(request: Request, code: int, text: str = "no", data: object = None) -> dict[str, object]:
    wrong = {"code": code, "message": text, "data": data}
    return {"jsonrpc": "2.0", "id": request.message.get("id"), "error": wrong}


def event(value: object, **fields: str) -> bytes:
    lines = [f"{name}: {text}" for name, text in fields.items()]
    return ("\n".join([*lines, f"data: {json.dumps(value)}"]) + "\n\n").encode()


WELCOME = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "h", "version": "1"},
}
DISCOVERED = {
    "resultType": "complete",
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}},
    "ttlMs": 0,
    "cacheScope": "private",
}


async def greet(request: Request, answer: Answer) -> bool:
    """Make the handshake of a server with a session, take notifications and its end; True where it did."""
    if request.verb == "DELETE":
        await answer.body(204, b"", None)
    elif request.method == "initialize":
        await answer.json(result(request, WELCOME), mcp_session_id="session-1")
    elif request.method is not None and "id" not in request.message:
        await answer.body(202, b"", None)
    else:
        return False
    return True


def greeting(handler: Handler) -> Handler:
    """Let `handler` have what comes after the handshake."""

    async def handle(request: Request, answer: Answer) -> None:
        if not await greet(request, answer):
            await handler(request, answer)

    return handle


async def modern(request: Request, answer: Answer) -> None:
    """Serve the modern era alone, as the specification says: the headers must say what the body says."""
    message = request.message
    params = message.get("params", {})
    meta = params.get("_meta", {})
    version = meta.get("io.modelcontextprotocol/protocolVersion")
    supported = {"supported": ["2026-07-28"], "requested": version}
    if request.verb != "POST":
        await answer.body(405, b"", None, allow="POST")
    elif version != "2026-07-28":
        await answer.json(error(request, -32022, "Unsupported protocol version", supported), 400)
    elif request.headers.get("mcp-protocol-version") != version:
        await answer.json(error(request, -32020, "Header mismatch: version"), 400)
    elif request.headers.get("mcp-method") != message["method"]:
        await answer.json(error(request, -32020, "Header mismatch: method"), 400)
    elif request.headers.get("mcp-name") != params.get("name"):
        await answer.json(error(request, -32020, "Header mismatch: name"), 400)
    elif request.method == "server/discover":
        await answer.json(result(request, DISCOVERED))
    elif request.method == "tools/list":
        city = {"type": "string", "x-mcp-header": "City"}
        tool = {"name": "t", "inputSchema": {"type": "object", "properties": {"city": city}}}
        await answer.json(
            result(request, {"resultType": "complete", "tools": [tool], "ttlMs": 0, "cacheScope": "public"})
        )
    elif request.method == "tools/call":
        got = {"city": request.headers.get("mcp-param-city")}
        await answer.json(result(request, {"resultType": "complete", "content": [], "got": got}))
    else:
        await answer.json(error(request, -32601, "Method not found"), 404)


def connector(
    site: Site, limits: WireLimits = LIMITS, protocol: str = AUTO, headers: Mapping[str, str] | None = None
) -> HttpConnector:
    return HttpConnector(HttpTarget(site.url, headers or {}, protocol=protocol), client_info("0"), limits)


@asynccontextmanager
async def talking(
    handler: Handler, limits: WireLimits = LIMITS, protocol: str = AUTO
) -> AsyncIterator[tuple[Session, Site]]:
    """Open a session with a server that makes the handshake first, and then does as `handler` says."""
    async with serving(greeting(handler)) as site, connector(site, limits, protocol).session() as session:
        yield session, site
