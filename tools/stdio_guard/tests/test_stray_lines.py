"""Lines on stdout that are no messages, judged on facts."""

import pytest

from mcp_check_core.model.finding import Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.faults import FaultCode
from mcp_check_core.wire.transcript import Phase
from mcp_stdio_guard.rules import json_rpc_messages, server_messages, stdout_lines
from tools.stdio_guard.tests.built import RESULT, findings, frame, run
from tools.stdio_guard.tests.harness import codes

NOTE = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}'


def test_ten_thousand_log_lines_are_one_finding() -> None:
    lines = [frame(f"log line {n}", n) for n in range(1, 10_001)]
    (found,) = findings(stdout_lines.BLOCK, run(*lines))
    assert found.evidence["count"] == 10_000
    assert len(found.evidence["lines"]) == 3  # type: ignore[arg-type]
    assert found.message.startswith(
        "10000 lines on stdout, after initialize was answered, are no JSON; the first"
    )


def test_each_part_of_a_run_has_its_own_finding() -> None:
    parts = (Phase.STARTUP, Phase.OPERATION, Phase.POST_INITIALIZE, Phase.SHUTDOWN)
    found = findings(
        stdout_lines.BLOCK, run(*(frame("log", n, phase=phase) for n, phase in enumerate(parts)))
    )
    assert len(found) == 3
    assert len({one.fingerprint for one in found}) == 3


def test_lines_during_one_request_name_it() -> None:
    lines = [frame("{ log", n, phase=Phase.OPERATION, during="tools/call add") for n in (1, 2)]
    (found,) = findings(stdout_lines.BLOCK, run(*lines))
    assert "while tools/call add was in flight" in found.message


def test_a_message_is_no_stray_line() -> None:
    assert findings(stdout_lines.BLOCK, run(frame(NOTE))) == []
    assert findings(json_rpc_messages.BLOCK, run(frame(NOTE))) == []


def test_a_line_that_we_cut_is_not_blamed() -> None:
    cut = frame('{"jsonrpc": "2.', 1, faults=[FaultCode.NO_NEWLINE])
    assert findings(stdout_lines.BLOCK, run(cut, wire={"cut": True})) == []
    assert codes(findings(stdout_lines.BLOCK, run(cut))) == {"stdout-non-json"}


def test_a_cut_line_is_too_large_only_where_it_was_over_the_limit_of_a_line() -> None:
    small = frame("", 1, faults=[FaultCode.TOO_LARGE], size=1000)
    large = frame("", 1, faults=[FaultCode.TOO_LARGE], size=300_000)
    assert findings(stdout_lines.BLOCK, run(small, wire={"cut": True})) == []
    assert codes(findings(stdout_lines.BLOCK, run(large, wire={"cut": True}))) == {"stdout-line-too-large"}


def test_headers_explain_the_empty_line_and_the_missing_newline() -> None:
    lines = (
        frame("Content-Length: 90", 1),
        frame("", 2),
        frame(NOTE, 3, faults=[FaultCode.NO_NEWLINE]),
    )
    assert codes(findings(stdout_lines.BLOCK, run(*lines))) == {"stdout-content-length-framing"}


def test_an_empty_line_elsewhere_is_one() -> None:
    assert codes(findings(stdout_lines.BLOCK, run(frame(NOTE, 1), frame("", 2)))) == {"stdout-empty-line"}


@pytest.mark.parametrize(
    ("text", "faults", "code", "kind", "severity"),
    [
        ('{"jsonrpc":"2.0","method":"x","params":{"v":NaN}}', (), "stdout-non-json", "not-a-number", "error"),
        (NOTE, (FaultCode.BYTE_ORDER_MARK,), "stdout-non-json", "byte-order-mark", "error"),
        (NOTE, (FaultCode.INVALID_UTF8,), "stdout-invalid-utf8", None, "error"),
        (NOTE, (FaultCode.LONE_SURROGATE,), "stdout-invalid-utf8", "lone-surrogate", "warning"),
        ("caf\ufffd", (FaultCode.INVALID_UTF8,), "stdout-non-json", None, "error"),
    ],
)
def test_faults_of_text(
    text: str, faults: tuple[FaultCode, ...], code: str, kind: str | None, severity: str
) -> None:
    (found,) = findings(stdout_lines.BLOCK, run(frame(text, faults=faults)))
    assert (found.rule_id, found.kind, found.severity.value) == (f"guard/{code}", kind, severity)


@pytest.mark.parametrize(
    ("text", "kind", "severity"),
    [
        ("42", "not-an-object", Severity.ERROR),
        ('{"level":"info"}', "neither-request-nor-response", Severity.ERROR),
        ('{"method":"x"}', "jsonrpc-version", Severity.ERROR),
        (
            '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}',
            "result-and-error",
            Severity.ERROR,
        ),
        ('{"jsonrpc":"2.0","id":1,"result":[]}', "result-not-an-object", Severity.ERROR),
        ('{"jsonrpc":"2.0","id":1,"error":"no"}', "error-malformed", Severity.ERROR),
        ('{"jsonrpc":"2.0","method":"x","params":{"a":1,"a":2}}', "duplicate-key", Severity.WARNING),
    ],
)
def test_faults_of_json_rpc(text: str, kind: str, severity: Severity) -> None:
    (found,) = findings(json_rpc_messages.BLOCK, run(frame(text)))
    assert (found.rule_id, found.kind, found.severity) == ("guard/stdout-invalid-json-rpc", kind, severity)


@pytest.mark.parametrize(("version", "severity"), [("2025-03-26", "info"), ("2025-06-18", "error")])
def test_batches_belong_to_one_version(version: str, severity: str) -> None:
    result: Json = {**RESULT, "protocolVersion": version}
    (found,) = findings(json_rpc_messages.BLOCK, run(frame(f"[{NOTE}]"), result=result))
    assert (found.rule_id, found.severity.value) == ("guard/stdout-batch", severity)


def test_requests_of_the_server() -> None:
    ping = frame('{"jsonrpc":"2.0","id":1,"method":"ping"}', 1, phase=Phase.STARTUP)
    roots = frame('{"jsonrpc":"2.0","id":2,"method":"roots/list"}', 2)
    assert findings(server_messages.BLOCK, run(ping)) == []
    assert codes(findings(server_messages.BLOCK, run(ping, roots))) == {"server-request-undeclared"}


def test_messages_before_initialized() -> None:
    early = frame('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', at_ms=10.0)
    log = frame(NOTE, at_ms=10.0)
    assert codes(findings(server_messages.BLOCK, run(early, wire={"initialized_ms": 20.0}))) == {
        "message-before-initialized"
    }
    assert findings(server_messages.BLOCK, run(early, wire={"initialized_ms": 5.0})) == []
    assert findings(server_messages.BLOCK, run(log, wire={"initialized_ms": 20.0})) == []
