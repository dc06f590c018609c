"""In the modern era the clients of both SDKs see what ours sees, on the servers of both."""

import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from mcp_check_core.wire.versions import LATEST_MODERN
from tests.differential.observed import (
    NODE,
    Call,
    Place,
    free_port,
    listening,
    ours,
    python_sdk,
    typescript_sdk,
)
from tests.differential.same import as_python_reads, as_typescript_2_reads

pytestmark = pytest.mark.anyio

SERVER = Path(__file__).parents[1] / "sdk" / "server.py"
CALLS = [
    Call("add", {"a": 2, "b": 3}),
    Call("add", {"a": "two"}),
    Call("add", {}),
    Call("boom", {"x": "q"}),
    Call("no-such-tool", {}),
]


def command(language: str, *more: str) -> tuple[str, ...]:
    node = shutil.which("node")
    if node is None or not (NODE / "node_modules").is_dir():
        pytest.skip("needs node and the packages of tests/node (`make test` installs them)")
    if language == "python":
        return (sys.executable, "-P", str(SERVER), *more)
    return (node, str(NODE / "typescript_2.mjs"), *more)


@asynccontextmanager
async def served(language: str, transport: str) -> AsyncIterator[Place]:
    if transport == "stdio":
        yield Place(command(language))
        return
    port = free_port()
    async with listening(command(language, str(port)), port, {}):
        yield Place(url=f"http://127.0.0.1:{port}/mcp")


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("language", ["python", "typescript"])
async def test_three_clients_see_one_server(language: str, transport: str) -> None:
    async with served(language, transport) as place:
        seen, _ = await ours(place, CALLS, LATEST_MODERN)
        python = await python_sdk(place, CALLS, LATEST_MODERN)
        typescript = await typescript_sdk(place, CALLS, sdk=2, version=LATEST_MODERN)
    assert seen.calls[0]["result"]["resultType"] == "complete"
    assert python == as_python_reads(seen)
    assert typescript == as_typescript_2_reads(seen)
