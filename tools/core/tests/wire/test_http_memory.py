"""Bodies and streams without an end cost bounded time and memory, as measured from outside."""

import json
import sys

import anyio
import pytest

from tools.core.tests.wire.http_servers import Answer, Request, greeting, serving

pytestmark = pytest.mark.anyio

CLIENT = """
import json, resource, sys
import anyio
from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.http_connector import HttpConnector
from mcp_check_core.wire.target import HttpTarget

def used():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

async def main():
    seen = {}
    for name in ("body", "line", "events"):
        async with HttpConnector(HttpTarget(sys.argv[1]), client_info("0")).session() as session:
            before = used()
            reply = await session.call_tool(name, {}, timeout=30)
            hits = [hit.limit for hit in session.connection.limits_hit]
            seen[name] = [reply.kind.value, hits, used() - before]
    print(json.dumps(seen))

anyio.run(main)
"""
CHUNK = b"x" * 1_000_000


async def endless(request: Request, answer: Answer) -> None:
    name = request.message["params"]["name"]
    if name == "body":
        answer.closing = True
        await answer.head(200, {"content-type": "application/json", "connection": "close"})
        await answer.raw(b'{"jsonrpc":"2.0","id":2,"result":{"x":"')
    else:
        await answer.stream(b"data: " if name == "line" else b"")
    event = b'data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n'
    for _ in range(1_000):
        await answer.raw(event * 10_000 if name == "events" else CHUNK)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no getrusage")
async def test_what_has_no_end_is_bounded() -> None:
    async with serving(greeting(endless)) as site:
        with anyio.fail_after(60):
            done = await anyio.run_process([sys.executable, "-c", CLIENT, site.url])
    seen = json.loads(done.stdout)
    assert {name: value[:2] for name, value in seen.items()} == {
        "body": ["too_large", ["body bytes"]],
        "line": ["too_large", ["bytes received"]],
        "events": ["too_large", ["events of a stream"]],
    }
    scale = 1024 if sys.platform == "darwin" else 1
    assert all(grown // scale < 100 for *_, grown in seen.values()), seen
