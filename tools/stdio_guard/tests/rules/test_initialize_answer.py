"""The answer to initialize, member by member."""

from dataclasses import replace

import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.process.launch import Breach, Exit
from mcp_check_core.wire.message import RpcError
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_stdio_guard.facts.run import RunFacts
from mcp_stdio_guard.rules.declare import NO_PROCESS
from mcp_stdio_guard.rules.initialize_answer import BLOCK, KNOWN_CAPABILITIES
from tools.stdio_guard.tests.built import RESULT, findings, reply, run
from tools.stdio_guard.tests.rules.judged import codes_of, one, reasons, told

UNANSWERED = "initialize was not answered"
NO_RESULT = "initialize was not answered with a result"


def answered(**members: Json) -> RunFacts:
    return run(result={**RESULT, **members})


def ended(kind: ReplyKind, **process: object) -> RunFacts:
    return run(initialize=reply("initialize", kind), process=process)


def codes(facts: RunFacts) -> set[str]:
    return {code.removeprefix("initialize-") for code, _, _ in told(BLOCK, facts)}


def test_a_right_answer() -> None:
    assert findings(BLOCK, run()) == []
    assert reasons(BLOCK, run()) == {}


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"protocolVersion": None}, {"missing-protocol-version"}),
        ({"protocolVersion": 3}, {"invalid-protocol-version"}),
        ({"protocolVersion": "2026-07-28"}, {"era-mismatch"}),
        ({"protocolVersion": "2999-01-01"}, {"invalid-protocol-version"}),
        ({"protocolVersion": "2024-11-05"}, set()),
        ({"capabilities": None}, {"missing-capabilities"}),
        ({"capabilities": ["tools"]}, {"invalid-capabilities"}),
        ({"capabilities": {}}, set()),
        ({"capabilities": {"mine": True}}, set()),
        ({"serverInfo": None}, {"missing-server-info"}),
        ({"serverInfo": "notes"}, {"invalid-server-info"}),
        ({"serverInfo": {"name": "notes"}}, {"invalid-server-info"}),
        ({"serverInfo": {"version": "1"}}, {"invalid-server-info"}),
        ({"instructions": None}, {"invalid-result"}),
        ({"instructions": "Use with care."}, set()),
    ],
)
def test_members(members: dict[str, Json], expected: set[str]) -> None:
    assert codes(answered(**members)) == expected


def test_what_server_info_lacks_is_named() -> None:
    both = one(BLOCK, answered(serverInfo={"name": 1, "version": 2}))
    assert both.message.endswith("has no string for name and version.")
    assert one(BLOCK, answered(serverInfo={"name": "notes"})).message.endswith("has no string for version.")


@pytest.mark.parametrize("name", KNOWN_CAPABILITIES)
def test_each_known_capability_is_an_object(name: str) -> None:
    found = one(BLOCK, answered(capabilities={name: True}))
    assert (found.rule_id, found.location.pointer) == (
        "guard/initialize-invalid-capabilities",
        f"/result/capabilities/{name}",
    )
    assert findings(BLOCK, answered(capabilities={name: {}})) == []


@pytest.mark.parametrize(
    ("kind", "told_as"),
    [
        (ReplyKind.MALFORMED, "malformed"),
        (ReplyKind.TOO_LARGE, "too-large"),
        (ReplyKind.CLOSED, "closed"),
        (ReplyKind.UNSENT, "closed"),
    ],
)
def test_an_answer_that_cannot_be_read(kind: ReplyKind, told_as: str) -> None:
    assert told(BLOCK, ended(kind)) == {("initialize-invalid-result", told_as, "error")}
    others = codes_of(BLOCK) - {"initialize-error", "initialize-invalid-result"}
    assert reasons(BLOCK, ended(kind)) == dict.fromkeys(others, NO_RESULT)


@pytest.mark.parametrize(
    "facts",
    [
        ended(ReplyKind.TIMEOUT),
        ended(ReplyKind.CLOSED, exit=Exit(1), alone=True),
        ended(ReplyKind.CLOSED, breach=Breach("rss", 1.0, 2.0)),
    ],
)
def test_no_answer_at_all_is_judged_elsewhere(facts: RunFacts) -> None:
    assert findings(BLOCK, facts) == []
    told_why = reasons(BLOCK, facts)
    assert {told_why[code] for code in ("initialize-error", "initialize-invalid-result")} == {UNANSWERED}
    assert set(told_why) == codes_of(BLOCK)


def test_an_error_is_one() -> None:
    facts = run(initialize=Reply(ReplyKind.ERROR, 1, "initialize", 1.0, error=RpcError(-32602, "too new")))
    assert one(BLOCK, facts).message == "initialize was answered with error -32602: too new"
    assert set(reasons(BLOCK, facts)) == codes_of(BLOCK) - {"initialize-error", "initialize-invalid-result"}


@pytest.mark.parametrize(
    ("kind", "error", "told_as"),
    [(ReplyKind.ERROR, None, "closed"), (ReplyKind.MALFORMED, RpcError(1, "no"), "malformed")],
)
def test_half_an_error_is_no_answer(kind: ReplyKind, error: RpcError | None, told_as: str) -> None:
    facts = run(initialize=Reply(kind, 1, "initialize", 1.0, error=error))
    assert told(BLOCK, facts) == {("initialize-invalid-result", told_as, "error")}


@pytest.mark.parametrize(
    ("kind", "error", "words"),
    [
        (ReplyKind.MALFORMED, RpcError(1, "no"), "is an error that names no request: no"),
        (ReplyKind.MALFORMED, None, "cannot be read as a JSON-RPC response"),
        (ReplyKind.CLOSED, RpcError(1, "no"), "The server closed its stdout"),
    ],
)
def test_an_error_that_names_no_request_is_quoted(
    kind: ReplyKind, error: RpcError | None, words: str
) -> None:
    assert words in one(BLOCK, run(initialize=Reply(kind, 1, "initialize", 1.0, error=error))).message


def test_without_a_process_or_a_handshake_there_is_nothing_to_judge() -> None:
    nothing = dict.fromkeys(codes_of(BLOCK), NO_PROCESS)
    assert reasons(BLOCK, run(process={"spawn_code": "ENOENT"})) == nothing
    assert reasons(BLOCK, replace(run(), handshake=None)) == nothing
