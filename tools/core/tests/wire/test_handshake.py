import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import ServerIdentity
from mcp_check_core.wire.handshake import read_handshake
from mcp_check_core.wire.message import RpcError
from mcp_check_core.wire.reply import Reply, ReplyKind

GOOD: dict[str, Json] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "s", "version": "1"},
}


def reply(kind: ReplyKind, result: Json = None, error: RpcError | None = None) -> Reply:
    return Reply(kind, 1, "initialize", 2_000.0, result=result, error=error)


@pytest.mark.parametrize("version", ["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_a_known_version_is_agreed_on(version: str) -> None:
    handshake = read_handshake(
        reply(ReplyKind.RESULT, {**GOOD, "protocolVersion": version}), "2025-11-25", 30.0
    )
    assert (handshake.ok, handshake.version, handshake.offered) == (True, version, "2025-11-25")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"protocolVersion": None}, "protocolVersion in its answer to initialize is missing, not a string"),
        ({"protocolVersion": 1}, "protocolVersion in its answer to initialize is integer, not a string"),
        (
            {"protocolVersion": "2026-07-28"},
            "it answered initialize with 2026-07-28, a revision that has no initialize",
        ),
        (
            {"protocolVersion": "9999-01-01"},
            "it answered initialize with protocol version '9999-01-01', which nobody speaks",
        ),
        ({"capabilities": None}, "capabilities in its answer to initialize are missing, not an object"),
        ({"capabilities": []}, "capabilities in its answer to initialize are array, not an object"),
        ({"serverInfo": None}, None),
        ({"serverInfo": [1]}, None),
        ({"instructions": 5}, None),
    ],
)
def test_a_result_that_no_client_can_use(changes: dict[str, Json], problem: str | None) -> None:
    handshake = read_handshake(reply(ReplyKind.RESULT, {**GOOD, **changes}), "2025-11-25", 30.0)
    assert handshake.problem == problem
    assert handshake.ok is (problem is None)


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        (ReplyKind.TIMEOUT, "it did not answer initialize within 0.5 s"),
        (ReplyKind.CLOSED, "it closed its output before it answered initialize"),
        (ReplyKind.UNSENT, "it closed its input or output before initialize could be sent"),
        (ReplyKind.TOO_LARGE, "its answer to initialize is over the limit of a line"),
        (ReplyKind.MALFORMED, "its answer to initialize cannot be read as a JSON-RPC response"),
    ],
)
def test_no_answer_says_how(kind: ReplyKind, problem: str) -> None:
    assert read_handshake(reply(kind), "2025-11-25", 0.5).problem == problem


def test_an_error_is_quoted_within_bounds() -> None:
    refused = reply(ReplyKind.ERROR, error=RpcError(-32602, "x" * 10_000))
    problem = read_handshake(refused, "2025-11-25", 30.0).problem
    assert problem is not None
    assert problem.startswith("it answered initialize with error -32602: xxx")
    assert len(problem) < 300


def test_the_identity_is_read_within_bounds() -> None:
    info: Json = {"name": "n" * 10_000, "version": 3}
    handshake = read_handshake(
        reply(ReplyKind.RESULT, {**GOOD, "serverInfo": info, "instructions": "do"}), "2025-11-25", 30.0
    )
    assert handshake.server == ServerIdentity(
        "n" * 200 + "… [first 200 of 10000 characters]", None, "2025-11-25"
    )
    assert handshake.instructions == "do"
