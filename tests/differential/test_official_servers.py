"""On the official servers, over stdio and HTTP, three official clients see what ours sees."""

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.http_connector import HttpConnector
from mcp_check_core.wire.target import HttpTarget
from tests.differential.observed import (
    Call,
    Observed,
    Place,
    free_port,
    listening,
    ours,
    python_sdk,
    typescript_sdk,
)
from tests.differential.same import as_python_reads, as_typescript_2_reads, as_typescript_reads

pytestmark = pytest.mark.anyio

NodeServer = Callable[[str], list[str]]
EVERYTHING = [
    Call("echo", {"message": "a text, é and 🙂"}),
    Call("get-sum", {"a": 2, "b": 2.5}),
    Call("get-sum", {"a": "two"}),
    Call("get-structured-content", {"location": "Chicago"}),
    Call("get-tiny-image", {}),
    Call("get-annotated-message", {"messageType": "error", "includeImage": True}),
    Call("get-resource-links", {"count": 2}),
    Call("no-such-tool", {}),
]
MEMORY = [
    Call("create_entities", {"entities": [{"name": "a", "entityType": "t", "observations": ["o"]}]}),
    Call("read_graph", {}),
    Call("search_nodes", {"query": "a"}),
    Call("create_entities", {}),
]


async def agree(places: Callable[[], Place], calls: list[Call]) -> Observed:
    """Look with four clients, each at a place of its own; all must see the same."""
    seen, _ = await ours(places(), calls)
    assert await python_sdk(places(), calls) == as_python_reads(seen)
    assert await typescript_sdk(places(), calls, sdk=1) == as_typescript_reads(seen)
    assert await typescript_sdk(places(), calls, sdk=2) == as_typescript_2_reads(seen)
    return seen


async def test_everything_over_stdio(node_server: NodeServer) -> None:
    command = tuple(node_server("everything"))
    seen = await agree(lambda: Place(command), EVERYTHING)
    assert len(seen.tools) == 13
    assert sum("result" in call and not call["result"].get("isError") for call in seen.calls) == 6


async def test_everything_over_http(node_server: NodeServer) -> None:
    command = (*node_server("everything"), "streamableHttp")
    port = free_port()
    async with listening(command, port, {"PORT": str(port)}):
        over_http = await agree(lambda: Place(url=f"http://127.0.0.1:{port}/mcp"), EVERYTHING)
    over_stdio, _ = await ours(Place(tuple(node_server("everything"))), EVERYTHING)
    assert over_http == over_stdio


async def test_memory_over_stdio(node_server: NodeServer, tmp_path: Path) -> None:
    command = tuple(node_server("memory"))
    files = iter(range(10))

    def place() -> Place:
        return Place(command, {"MEMORY_FILE_PATH": str(tmp_path / f"{next(files)}.jsonl")})

    seen = await agree(place, MEMORY)
    assert len(seen.tools) == 9
    assert seen.calls[1]["result"]["structuredContent"]["entities"][0]["name"] == "a"


async def test_calls_side_by_side_over_http_get_each_its_own_answer(node_server: NodeServer) -> None:
    command = (*node_server("everything"), "streamableHttp")
    port = free_port()
    texts: dict[str, object] = {}
    async with (
        listening(command, port, {"PORT": str(port)}),
        HttpConnector(HttpTarget(f"http://127.0.0.1:{port}/mcp"), client_info("0")).session() as session,
    ):

        async def echo(message: str) -> None:
            texts[message] = (await session.call_tool("echo", {"message": message})).fields["content"]

        async with anyio.create_task_group() as tasks:
            for number in range(20):
                tasks.start_soon(echo, str(number))
    assert texts == {str(number): [{"type": "text", "text": f"Echo: {number}"}] for number in range(20)}
