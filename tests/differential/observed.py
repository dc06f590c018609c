"""What a client sees of a server: its tools, and what became of each call, as JSON."""

import json
import os
import shutil
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import anyio
import psutil
from pydantic import BaseModel

from mcp_check_core.model.json_value import Json
from mcp_check_core.process.environment import minimal_environment
from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.http_connector import make_connector
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.target import HttpTarget, StdioTarget
from mcp_check_core.wire.versions import LATEST_HANDSHAKE

NODE = Path(__file__).parents[1] / "node"
TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Call:
    """A call to make."""

    name: str
    arguments: Mapping[str, Json]

    def plain(self) -> dict[str, Json]:
        return {"name": self.name, "arguments": dict(self.arguments)}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server is: a command with its variables, or a URL."""

    command: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None

    @property
    def env(self) -> dict[str, str]:
        return dict(minimal_environment(os.environ, extra=dict(self.variables)))

    def target(self, version: str) -> StdioTarget | HttpTarget:
        if self.url is not None:
            return HttpTarget(self.url, protocol=version)
        return StdioTarget(self.command, env=self.env, protocol=version)


@dataclass(frozen=True, slots=True)
class Observed:
    """The definitions of the tools in order, and the end of each call: `result`, or `error` with its code."""

    tools: list[Any]
    calls: list[dict[str, Any]]


def arguments_for(schema: object) -> dict[str, Json]:
    """Give a plain value for each required property, by its type alone."""
    values: dict[str, Json] = {
        "string": "a",
        "integer": 2,
        "number": 2.5,
        "boolean": True,
        "array": [],
        "object": {},
    }
    properties = schema.get("properties", {}) if isinstance(schema, dict) else {}
    required = schema.get("required", []) if isinstance(schema, dict) else []
    return {name: values[properties[name]["type"]] for name in required if "type" in properties.get(name, {})}


def calls_of(tools: Sequence[Any], most: int = 3) -> list[Call]:
    """Choose calls: the first tools once well, the first also without arguments, and one that is absent."""
    chosen = [Call(tool["name"], arguments_for(tool.get("inputSchema"))) for tool in tools[:most]]
    return [*chosen, *[Call(tool["name"], {}) for tool in tools[:1]], Call("no-such-tool", {})]


async def ours(
    place: Place, calls: Sequence[Call] | None, version: str = LATEST_HANDSHAKE
) -> tuple[Observed, list[Call]]:
    """Look with our own client; without `calls` they are chosen from what it lists."""
    target = place.target("auto" if version == LATEST_HANDSHAKE else version)
    async with make_connector(target, client_info("0")).session() as session:
        listing = await session.list("tools/list")
        assert listing.complete, listing
        chosen = calls_of(listing.items) if calls is None else list(calls)
        replies = [await session.call_tool(call.name, call.arguments) for call in chosen]
        assert session.connection.transcript.invalid == 0
        return Observed(list(listing.items), [_end(reply) for reply in replies]), chosen


def _end(reply: Reply) -> dict[str, Any]:
    assert reply.answered, reply
    if reply.kind is ReplyKind.RESULT:
        return {"result": reply.result}
    assert reply.error is not None
    return {"error": {"code": reply.error.code, "message": reply.error.message}}


async def python_sdk(place: Place, calls: Sequence[Call], version: str = LATEST_HANDSHAKE) -> Observed:
    """Look with the client of the Python SDK; each model is written out by the names of the wire."""
    from mcp import Client, MCPError, StdioServerParameters

    command = (
        StdioServerParameters(command=place.command[0], args=list(place.command[1:]), env=place.env)
        if (place.command)
        else place.url
    )
    assert command is not None
    mode: Any = "legacy" if version == LATEST_HANDSHAKE else version
    ends: list[dict[str, Any]] = []
    async with Client(command, mode=mode, cache=None) as client:
        tools: list[Any] = []
        cursor: str | None = None
        while True:
            page = await client.list_tools(cursor=cursor)
            tools += [written(tool) for tool in page.tools]
            if (cursor := page.next_cursor) is None:
                break
        for call in calls:
            try:
                ends.append({"result": written(await client.call_tool(call.name, dict(call.arguments)))})
            except MCPError as problem:
                ends.append({"error": {"code": problem.code, "message": problem.message}})
    return Observed(tools, ends)


def written(model: BaseModel) -> dict[str, Any]:
    """Write a model of the SDK as it would go over the wire."""
    return model.model_dump(by_alias=True, exclude_none=True, mode="json")


async def typescript_sdk(
    place: Place, calls: Sequence[Call], *, sdk: int, version: str | None = None
) -> Observed:
    """Look with a client of the TypeScript SDK, in a process of its own."""
    node = shutil.which("node")
    assert node is not None
    plan = {
        "sdk": sdk,
        "version": version,
        "url": place.url,
        "command": place.command[0] if place.command else None,
        "args": list(place.command[1:]),
        "env": place.env,
        "calls": [call.plain() for call in calls],
    }
    with anyio.fail_after(TIMEOUT_S):
        done = await anyio.run_process(
            [node, str(NODE / "observe.mjs")], input=json.dumps(plan).encode(), check=False
        )
    assert done.returncode == 0, done.stderr.decode()[-2_000:]
    seen = json.loads(done.stdout)
    return Observed(seen["tools"], seen["calls"])


def free_port() -> int:
    """Give a port of the loopback that nobody uses now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@asynccontextmanager
async def listening(command: Sequence[str], port: int, variables: Mapping[str, str]) -> AsyncIterator[None]:
    """Run a server until the context ends, once its port takes connections."""
    env = minimal_environment(os.environ, extra=dict(variables))
    running = await anyio.open_process(command, env=env, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
    async with running as process:
        try:
            with anyio.fail_after(TIMEOUT_S):
                while not await _takes_connections(port):
                    assert process.returncode is None, "the server ended before it listened"
            yield
        finally:
            for member in (
                *psutil.Process(process.pid).children(recursive=True),
                psutil.Process(process.pid),
            ):
                member.kill()


async def _takes_connections(port: int) -> bool:
    try:
        async with await anyio.connect_tcp("127.0.0.1", port):
            return True
    except OSError:
        await anyio.sleep(0.05)
        return False
