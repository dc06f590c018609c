"""Responses that do not fit a request, judged on facts."""

from mcp_check_core.wire.faults import Fault, FaultCode
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_stdio_guard.facts.run import ListFacts, ListOutcome
from mcp_stdio_guard.rules import json_rpc_ids
from tools.stdio_guard.tests.built import findings, frame, listing, run
from tools.stdio_guard.tests.harness import codes

STRANGER = '{"jsonrpc":"2.0","id":7001,"result":{}}'
LOST = ListFacts(
    "tools/list",
    (),
    0,
    ListOutcome.NO_RESULT,
    Reply(ReplyKind.MALFORMED, 2, "tools/list", 1.0, faults=(Fault(FaultCode.ID_UNKNOWN),)),
)


def unknown(text: str) -> set[str]:
    line = frame(text, during="tools/list", faults=[FaultCode.ID_UNKNOWN])
    return codes(findings(json_rpc_ids.BLOCK, run(line, lists=[listing()])))


def test_an_unknown_id_is_a_mismatch_only_where_an_answer_is_missing() -> None:
    line = frame(STRANGER, during="tools/list", faults=[FaultCode.ID_UNKNOWN])
    assert codes(findings(json_rpc_ids.BLOCK, run(line, lists=[LOST]))) == {"response-id-mismatch"}
    assert unknown(STRANGER) == {"stdout-unexpected-request-id"}


def test_an_error_that_names_a_notification_answers_it() -> None:
    text = '{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"no notifications/initialized"}}'
    assert unknown(text) == {"notification-response"}


def test_a_response_without_an_id() -> None:
    text = '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}'
    assert codes(findings(json_rpc_ids.BLOCK, run(frame(text)))) == {"notification-response"}
    lost = run(frame(text, during="tools/list"), lists=[LOST])
    assert codes(findings(json_rpc_ids.BLOCK, lost)) == {"response-id-mismatch"}


def test_a_second_answer_and_a_late_one() -> None:
    twice = frame(STRANGER, faults=[FaultCode.ID_ANSWERED])
    late = frame(STRANGER, late=True)
    (found,) = findings(json_rpc_ids.BLOCK, run(twice))
    assert found.kind == "answered-twice"
    assert findings(json_rpc_ids.BLOCK, run(late)) == []
