"""The eras of a server on each SDK, found and spoken, over stdio and over HTTP."""

import json
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.eras import find_eras
from mcp_check_core.wire.http_connector import make_connector
from mcp_check_core.wire.modern import HEADER_MISMATCH, MISSING_CAPABILITY, discover
from mcp_check_core.wire.reply import ReplyKind
from mcp_check_core.wire.session import Session
from mcp_check_core.wire.versions import LATEST_HANDSHAKE, LATEST_MODERN, Era
from tests.differential.observed import NODE, Place, free_port, listening
from tests.sdk.environments import PINS, SERVER, python_with

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

HANDSHAKE = (LATEST_HANDSHAKE,)
MODERN = (LATEST_MODERN,)
BOTH = (LATEST_HANDSHAKE, LATEST_MODERN)
SDKS = {
    "mcp-1": HANDSHAKE,
    "mcp-2": BOTH,
    "fastmcp-2": HANDSHAKE,
    "fastmcp-3": HANDSHAKE,
    "fastmcp-4": BOTH,
    "typescript-2": BOTH,
    "typescript-2-legacy": HANDSHAKE,
    "typescript-2-modern": MODERN,
}
HTTP = [name for name in SDKS if not name.startswith("typescript-2-")]


@dataclass(frozen=True, slots=True)
class Sdk:
    """A server on one SDK: its command, and the versions that it is expected to speak."""

    name: str
    command: tuple[str, ...]
    versions: tuple[str, ...]


@pytest.fixture(scope="session")
def sdk(pytestconfig: pytest.Config) -> Callable[[str], Sdk]:
    cache = pytestconfig.cache
    assert cache is not None
    folder = cache.mkdir("sdk-environments")

    def make(name: str) -> Sdk:
        return Sdk(name, _command(name, folder), SDKS[name])

    return make


def _command(name: str, cache: Path) -> tuple[str, ...]:
    if not name.startswith("typescript"):
        python = sys.executable if name == "mcp-2" else python_with(name, cache)
        return (python, "-P", str(SERVER))
    node = shutil.which("node")
    if node is None or not (NODE / "node_modules").is_dir():
        pytest.skip("needs node and the packages of tests/node (`make test` installs them)")
    return (node, str(NODE / "typescript_2.mjs"), *name.split("-")[2:])


@asynccontextmanager
async def served(sdk: Sdk) -> AsyncIterator[Place]:
    port = free_port()
    async with listening((*sdk.command, str(port)), port, {}):
        yield Place(url=f"http://127.0.0.1:{port}/mcp")


async def look(place: Place, versions: tuple[str, ...]) -> None:
    """Find the eras of a server, and make the same calls in each."""
    opener = make_connector(place.target("auto"), client_info("0"))
    eras = await find_eras(opener)
    assert eras.versions == versions
    assert eras.modern.present is (LATEST_MODERN in versions)
    async with opener.session() as session:
        assert session.protocol == versions[0]
    for version in versions:
        async with opener.session(version) as session:
            await use(session, version)


async def use(session: Session, version: str) -> None:
    assert session.protocol == version
    assert session.handshake.server.name == "sdk"
    assert session.declares("tools")
    listing = await session.list("tools/list")
    assert listing.complete
    names = {tool["name"] for tool in listing.items if isinstance(tool, dict)}
    assert {"add", "boom"} <= names
    modern = session.era is Era.MODERN
    assert [hint.problem for hint in listing.cache] == ([None] if modern else [])
    added = await session.call_tool("add", {"a": 2, "b": 3})
    assert added.kind is ReplyKind.RESULT
    assert added.fields["content"] == [{"type": "text", "text": "5"}]
    assert added.fields.get("resultType") == ("complete" if modern else None)
    failed = await session.call_tool("boom", {"x": "q"})
    assert failed.fields.get("isError") is True
    assert await session.alive()
    assert session.connection.transcript.invalid == 0
    assert [exchange for exchange in session.connection.transcript.exchanges if exchange.faults] == []


@pytest.mark.parametrize("name", SDKS)
async def test_over_stdio(name: str, sdk: Callable[[str], Sdk]) -> None:
    found = sdk(name)
    await look(Place(found.command), found.versions)


@pytest.mark.parametrize("name", HTTP)
async def test_over_http(name: str, sdk: Callable[[str], Sdk]) -> None:
    found = sdk(name)
    async with served(found) as place:
        await look(place, found.versions)


@pytest.mark.parametrize("name", ["mcp-2", "typescript-2"])
async def test_a_modern_server_names_its_versions_to_one_that_it_does_not_speak(
    name: str, sdk: Callable[[str], Sdk]
) -> None:
    opener = make_connector(Place(sdk(name).command).target("auto"), client_info("0"))
    async with opener.peer() as peer:
        answer = await discover(peer, client_info("0"), version="1900-01-01")
        assert answer.reply.error is not None
        assert (answer.reply.error.code, answer.supported) == (-32022, (LATEST_MODERN,))


async def test_a_state_is_brought_back_and_a_question_is_refused_for_want_of_the_capability(
    sdk: Callable[[str], Sdk],
) -> None:
    place = Place((*sdk("typescript-2").command, "asking"))
    async with make_connector(place.target(LATEST_MODERN), client_info("0")).session() as session:
        twice = await session.call_tool("twice", {})
        assert twice.fields["content"] == [{"type": "text", "text": "once"}]
        ask = await session.call_tool("ask", {})
        assert ask.error is not None
        assert ask.error.code == MISSING_CAPABILITY


async def test_headers_that_repeat_arguments_are_those_that_the_server_checks(
    sdk: Callable[[str], Sdk],
) -> None:
    async with served(sdk("mcp-2")) as place:
        opener = make_connector(place.target(LATEST_MODERN), client_info("0"))
        async with opener.session() as session:
            early = await session.call_tool("where", {"city": "Malmö"})
            assert early.error is not None
            assert (early.error.code, early.status) == (HEADER_MISMATCH, 400)
            assert (await session.list("tools/list")).complete
            for city in ("Malmö", "Oslo", " edge ", "=?base64?eA==?=", ""):
                reply = await session.call_tool("where", {"city": city})
                assert reply.fields["structuredContent"] == {"result": city}


async def test_everything_needs_no_environment_and_has_one_era(
    node_server: Callable[[str], list[str]],
) -> None:
    eras = await find_eras(
        make_connector(Place(tuple(node_server("everything"))).target("auto"), client_info("0"))
    )
    assert eras.versions == HANDSHAKE
    assert eras.modern.problem == "it answered server/discover with error -32601: Method not found"


def test_every_pinned_package_is_tried() -> None:
    installed = {name for name in SDKS if name == "mcp-2" or name.startswith("typescript")}
    assert {pins.stem for pins in PINS.glob("*.txt")} == set(SDKS) - installed


def test_a_tool_checks_a_server_of_the_modern_era_alone(sdk: Callable[[str], Sdk]) -> None:
    command = [sys.executable, "-m", "mcp_fuzz", "--json", "--include-destructive", "--"]
    done = subprocess.run(
        [*command, *sdk("typescript-2-modern").command],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    document = json.loads(done.stdout)
    assert document["target"]["server"] == {"name": "sdk", "version": "1", "protocol": LATEST_MODERN}
    assert document["coverage"]["toolsChecked"] == 2
    assert [finding["ruleId"] for finding in document["findings"] if finding["severity"] == "error"] == []
