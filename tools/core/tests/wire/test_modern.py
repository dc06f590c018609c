from pathlib import Path

import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.envelope import Envelope
from mcp_check_core.wire.faults import FaultCode
from mcp_check_core.wire.message import RpcError
from mcp_check_core.wire.modern import is_modern, read_discovery
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.result_type import CacheHint, cache_hint, result_faults
from mcp_check_core.wire.transcript import Phase
from mcp_check_core.wire.versions import LATEST_MODERN, Era
from tools.core.tests.wire.servers import connector

pytestmark = pytest.mark.anyio

KEY = "io.modelcontextprotocol/"
ENVELOPE: dict[str, Json] = {
    KEY + "protocolVersion": "2026-07-28",
    KEY + "clientCapabilities": {},
    KEY + "clientInfo": {"name": "mcp-trust-check", "version": "0"},
}
DISCOVERED: dict[str, Json] = {
    "resultType": "complete",
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}},
    "instructions": "be kind",
    "_meta": {KEY + "serverInfo": {"name": "m", "version": "2"}},
}


def reply(result: Json = None, error: RpcError | None = None, kind: ReplyKind | None = None) -> Reply:
    ended = kind or (ReplyKind.ERROR if error else ReplyKind.RESULT)
    return Reply(ended, 1, "server/discover", 1.0, result=result, error=error)


def test_the_envelope_is_beside_what_is_there_already_and_yields_to_it() -> None:
    envelope = Envelope("2026-07-28", {"name": "mcp-trust-check", "version": "0"}, {})
    assert envelope.around(None) == {"_meta": ENVELOPE}
    params: dict[str, Json] = {"name": "t", "_meta": {"progressToken": 1, KEY + "protocolVersion": "x"}}
    expected = {**ENVELOPE, "progressToken": 1, KEY + "protocolVersion": "x"}
    assert envelope.around(params) == {"name": "t", "_meta": expected}
    assert envelope.around({"_meta": 5}) == {"_meta": ENVELOPE}


def test_an_answer_to_discover_is_read() -> None:
    found = read_discovery(reply(DISCOVERED), LATEST_MODERN, 10.0)
    assert (found.ok, found.era, found.version) == (True, Era.MODERN, "2026-07-28")
    assert (found.server.name, found.server.version, found.server.protocol) == ("m", "2", "2026-07-28")
    assert (found.capabilities, found.instructions) == ({"tools": {}}, "be kind")
    assert is_modern(found)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"supportedVersions": None},
            "supportedVersions in its answer to server/discover are missing, not an array",
        ),
        (
            {"supportedVersions": ["2027-01-01", 5]},
            "supportedVersions in its answer to server/discover are 2027-01-01, without 2026-07-28",
        ),
        (
            {"supportedVersions": []},
            "supportedVersions in its answer to server/discover are nothing, without 2026-07-28",
        ),
        ({"capabilities": []}, "capabilities in its answer to server/discover are array, not an object"),
        ({"resultType": "input_required"}, "it answered server/discover by asking for input"),
    ],
)
def test_an_answer_to_discover_that_no_client_can_use(changes: dict[str, Json], problem: str) -> None:
    found = read_discovery(reply({**DISCOVERED, **changes}), LATEST_MODERN, 10.0)
    assert (found.ok, found.problem, is_modern(found)) == (False, problem, False)


@pytest.mark.parametrize(
    ("code", "modern"), [(-32020, True), (-32021, True), (-32022, True), (-32004, False), (-32601, False)]
)
def test_only_three_errors_are_of_the_modern_era(code: int, modern: bool) -> None:
    error = RpcError(code, "no", {"supported": ["2027-01-01"], "requested": "2026-07-28"})
    found = read_discovery(reply(error=error), LATEST_MODERN, 10.0)
    assert (found.ok, is_modern(found), found.supported) == (False, modern, ("2027-01-01",))
    assert found.problem == f"it answered server/discover with error {code}: no"


@pytest.mark.parametrize(
    ("result", "details"),
    [
        ({}, []),
        ({"resultType": "complete"}, []),
        ({"resultType": "input_required"}, []),
        ({"resultType": "task"}, ["resultType is 'task'"]),
        ({"resultType": None}, ["resultType is null"]),
        ([], []),
    ],
)
def test_the_type_of_a_result(result: Json, details: list[str]) -> None:
    assert [fault.detail for fault in result_faults(result)] == details


@pytest.mark.parametrize(
    ("result", "hint"),
    [
        ({"ttlMs": 5, "cacheScope": "public"}, CacheHint(5, "public")),
        ({"ttlMs": -5, "cacheScope": "private"}, CacheHint(0, "private", "ttlMs is -5, less than 0")),
        (
            {"ttlMs": True},
            CacheHint(
                None,
                None,
                "ttlMs is boolean, not an integer; cacheScope is missing, not public or private",
            ),
        ),
        (
            {"ttlMs": "1", "cacheScope": "all"},
            CacheHint(None, None, "ttlMs is '1', not an integer; cacheScope is 'all', not public or private"),
        ),
    ],
)
def test_cache_hints(result: dict[str, Json], hint: CacheHint) -> None:
    assert cache_hint(result) == hint


async def test_a_session_in_the_modern_era(tmp_path: Path) -> None:
    body = "modern(lambda request: complete(request, got=request['params'], tools=[], cacheScope='public'))"
    async with connector(tmp_path, body).session(LATEST_MODERN) as session:
        assert (session.era, session.protocol) == (Era.MODERN, "2026-07-28")
        assert (session.handshake.server.name, session.declares("tools")) == ("m", True)
        called = await session.call_tool("add", {"a": 1})
        assert called.fields["got"] == {"name": "add", "arguments": {"a": 1}, "_meta": ENVELOPE}
        listing = await session.list("tools/list")
        assert listing.complete
        assert listing.cache == (CacheHint(None, "public", "ttlMs is missing, not an integer"),)
        assert await session.alive()
        assert session.connection.transcript.invalid == 0
        assert session.connection.phase is Phase.POST_INITIALIZE
    methods = [frame.method for frame in session.connection.transcript.frames if frame.method]
    assert methods == ["server/discover", "tools/call", "tools/list", "server/discover"]


async def test_a_result_of_an_unknown_type_is_no_result(tmp_path: Path) -> None:
    body = "modern(lambda request: complete(request, resultType='task'))"
    async with connector(tmp_path, body).session(LATEST_MODERN) as session:
        got = await session.call_tool("add", {})
        assert got.kind is ReplyKind.MALFORMED
        assert [fault.code for fault in got.faults] == [FaultCode.RESULT_KIND]


async def test_a_request_of_a_server_is_answered_and_noted_as_a_fault(tmp_path: Path) -> None:
    body = """
    def ask(request):
        send(id="x", method="roots/list", params={})
        complete(request, answer=read())
    modern(ask)
    """
    async with connector(tmp_path, body).session(LATEST_MODERN) as session:
        got = await session.call_tool("add", {})
        error = {"code": -32601, "message": "this client does not offer roots/list"}
        assert got.fields["answer"] == {"jsonrpc": "2.0", "id": "x", "error": error}
        codes = [fault.code for frame in session.connection.transcript.faulty for fault in frame.faults]
        assert codes == [FaultCode.SERVER_REQUEST]
