"""Lines on stdout: which faults are told, in which words, and which explain others."""

from dataclasses import replace

import pytest

from mcp_check_core.wire.faults import Fault, FaultCode
from mcp_check_core.wire.reply import ReplyKind
from mcp_check_core.wire.transcript import Frame, Phase
from mcp_stdio_guard.facts.run import ListFacts, ListOutcome, RunFacts
from mcp_stdio_guard.rules import (
    json_rpc_ids,
    json_rpc_messages,
    python_buffering,
    quoting,
    server_messages,
    stdout_lines,
)
from mcp_stdio_guard.rules.declare import NO_PROCESS, Block
from tools.stdio_guard.tests.built import RESULT, findings, frame, listing, reply, run
from tools.stdio_guard.tests.rules.judged import codes_of, one, reasons, told

NOTE = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
ASK = '{"jsonrpc":"2.0","id":"s1","method":"roots/list"}'
PING = '{"jsonrpc":"2.0","id":"s1","method":"ping"}'
ANSWER = '{"jsonrpc":"2.0","id":7,"result":{}}'
BLOCKS = (stdout_lines.BLOCK, json_rpc_messages.BLOCK, json_rpc_ids.BLOCK, server_messages.BLOCK)


@pytest.mark.parametrize("block", BLOCKS, ids=["stdout", "messages", "ids", "server"])
def test_without_a_process_there_are_no_lines(block: Block[RunFacts]) -> None:
    assert reasons(block, run(process={"spawn_code": "ENOENT"})) == dict.fromkeys(codes_of(block), NO_PROCESS)
    assert reasons(block, run()) == {}


def test_a_line_is_told_by_its_number_and_words() -> None:
    assert one(stdout_lines.BLOCK, run(frame("ready", 4))).message == (
        "Line 4 on stdout, after initialize was answered, is no JSON: “ready”."
    )
    assert one(stdout_lines.BLOCK, run(frame("", 4))).message == (
        "Line 4 on stdout, after initialize was answered, is empty."
    )
    assert one(stdout_lines.BLOCK, run(frame("a", 4), frame("b", 6))).message == (
        "2 lines on stdout, after initialize was answered, are no JSON; the first is line 4: “a”."
    )
    assert one(stdout_lines.BLOCK, run(frame("", 4), frame("", 6))).message == (
        "2 lines on stdout, after initialize was answered, are empty; the first is line 4."
    )


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (("tools/list",), "while tools/list was in flight"),
        (("tools/list", "tools/list"), "while tools/list was in flight"),
        (("tools/list", "prompts/list"), "after initialize was answered"),
        (("tools/list", None), "after initialize was answered"),
        ((None,), "after initialize was answered"),
        (("initialize 2025-11-25",), "after initialize was answered"),
    ],
)
def test_the_request_in_flight_is_named_where_it_is_the_same(
    labels: tuple[str | None, ...], words: str
) -> None:
    lines = [frame("log", number, during=label) for number, label in enumerate(labels, start=1)]
    assert words in one(stdout_lines.BLOCK, run(*lines)).message


def test_evidence_quotes_three_lines() -> None:
    found = one(stdout_lines.BLOCK, run(*(frame("log", number) for number in range(1, 6))))
    lines = found.evidence["lines"]
    assert isinstance(lines, list)
    assert [line["line"] for line in lines if isinstance(line, dict)] == [1, 2, 3]
    assert found.evidence["count"] == 5


def test_evidence_of_a_line() -> None:
    plain = quoting.shown(frame("log", 3))
    assert plain == {"line": 3, "phase": "post-initialize", "text": "log", "detail": plain["detail"]}
    faults = (Fault(FaultCode.VERSION), Fault(FaultCode.NO_KIND, "neither"))
    full = quoting.shown(replace(frame(NOTE, 3, during="tools/list"), faults=faults))
    assert (full["during"], full["detail"]) == ("tools/list", "neither")
    assert "detail" not in quoting.shown(frame(NOTE))


def test_evidence_of_an_answer() -> None:
    error = quoting.answer_evidence(reply("tools/list", ReplyKind.ERROR, code=-32603))
    assert error == {"error": {"code": -32603, "message": "no"}}
    assert quoting.answer_evidence(replace(reply("tools/list"), excerpt="{}")) == {"answer": "{}"}
    assert quoting.answer_evidence(reply("tools/list")) == {}


@pytest.mark.parametrize(
    ("size", "cut", "expected"),
    [
        (262_144, True, set()),
        (262_145, True, {("stdout-line-too-large", None, "error")}),
        (262_145, False, {("stdout-non-json", None, "error")}),
    ],
)
def test_a_cut_line(size: int, cut: bool, expected: set[tuple[str, str | None, str]]) -> None:
    lines = [frame(NOTE, 1), frame("half", 2, size=size)]
    assert told(stdout_lines.BLOCK, run(*lines, wire={"cut": cut})) == expected


def test_only_the_last_line_was_cut() -> None:
    lines = [frame("log", 1), frame("half", 2)]
    assert one(stdout_lines.BLOCK, run(*lines, wire={"cut": True})).evidence["count"] == 1


@pytest.mark.parametrize(
    ("text", "phase", "plain_python", "held"),
    [
        ("log", Phase.SHUTDOWN, True, True),
        ("log", Phase.SHUTDOWN, False, False),
        ("log", Phase.OPERATION, True, False),
        ("", Phase.SHUTDOWN, True, False),
    ],
)
def test_noise_that_python_held_back(text: str, phase: Phase, plain_python: bool, held: bool) -> None:
    found = one(stdout_lines.BLOCK, run(frame(text, phase=phase), plain_python=plain_python))
    assert ("PYTHONUNBUFFERED" in str(found.hint)) is held


def test_output_over_the_limit() -> None:
    assert told(stdout_lines.BLOCK, run(frame(NOTE), wire={"over_limit": True})) == {
        ("stdout-output-limit-exceeded", None, "error")
    }


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (FaultCode.CONTENT_LENGTH, "stdout-content-length-framing"),
        (FaultCode.EMPTY_LINE, "stdout-empty-line"),
        (FaultCode.TOO_LARGE, "stdout-line-too-large"),
        (FaultCode.NOT_JSON, "stdout-non-json"),
    ],
)
def test_what_is_no_text_of_a_message_explains_its_other_faults(fault: FaultCode, code: str) -> None:
    line = replace(frame(NOTE), faults=(Fault(FaultCode.INVALID_UTF8), Fault(fault)))
    assert {found for found, _, _ in told(stdout_lines.BLOCK, run(line))} == {code}


def test_two_faults_that_explain_nothing_are_both_told() -> None:
    line = frame(NOTE, faults=[FaultCode.INVALID_UTF8, FaultCode.NO_NEWLINE])
    assert {found for found, _, _ in told(stdout_lines.BLOCK, run(line))} == {
        "stdout-invalid-utf8",
        "stdout-without-newline",
    }


def test_an_empty_line_belongs_to_the_header_right_before_it() -> None:
    header = frame("Content-Length: 90", 1)
    assert len(findings(stdout_lines.BLOCK, run(header, frame("", 2)))) == 1
    assert len(findings(stdout_lines.BLOCK, run(header, frame(NOTE, 2), frame("", 3)))) == 2
    unfinished = frame(NOTE, 3, faults=[FaultCode.NO_NEWLINE])
    assert len(findings(stdout_lines.BLOCK, run(unfinished))) == 1
    assert len(findings(stdout_lines.BLOCK, run(header, unfinished))) == 1


@pytest.mark.parametrize(
    ("version", "severity"),
    [("2024-11-05", "info"), ("2025-03-26", "info"), ("2025-06-18", "error"), ("2025-11-25", "error")],
)
def test_batches(version: str, severity: str) -> None:
    facts = run(frame(f"[{NOTE}]"), result={**RESULT, "protocolVersion": version})
    assert told(json_rpc_messages.BLOCK, facts) == {("stdout-batch", None, severity)}


@pytest.mark.parametrize("first", [FaultCode.TOO_DEEP, FaultCode.NOT_AN_OBJECT, FaultCode.NO_KIND])
def test_what_is_no_message_explains_its_other_faults(first: FaultCode) -> None:
    line = frame(NOTE, faults=[FaultCode.VERSION, first])
    assert told(json_rpc_messages.BLOCK, run(line)) == {("stdout-invalid-json-rpc", first.value, "error")}


def test_other_faults_of_one_line_are_all_told() -> None:
    line = frame(NOTE, faults=[FaultCode.VERSION, FaultCode.DUPLICATE_KEY, FaultCode.NO_NEWLINE])
    assert told(json_rpc_messages.BLOCK, run(line)) == {
        ("stdout-invalid-json-rpc", "jsonrpc-version", "error"),
        ("stdout-invalid-json-rpc", "duplicate-key", "warning"),
    }


@pytest.mark.parametrize(
    ("fault", "id_", "expected"),
    [
        (FaultCode.ID_INVALID, None, 0),
        (FaultCode.ID_INVALID, 1, 1),
        (FaultCode.VERSION, None, 1),
    ],
)
def test_a_response_without_an_id_is_judged_elsewhere(
    fault: FaultCode, id_: int | None, expected: int
) -> None:
    line = replace(frame(ANSWER), id=id_, faults=(Fault(fault),))
    assert len(findings(json_rpc_messages.BLOCK, run(line))) == expected


@pytest.mark.parametrize("kind", [ReplyKind.MALFORMED, ReplyKind.TIMEOUT, ReplyKind.CLOSED])
def test_an_answer_is_missing(kind: ReplyKind) -> None:
    line = frame(ANSWER, during="tools/list", faults=[FaultCode.ID_UNKNOWN])
    lost = ListFacts("tools/list", (), 0, ListOutcome.NO_RESULT, reply("tools/list", kind))
    assert told(json_rpc_ids.BLOCK, run(line, lists=[lost])) == {("response-id-mismatch", None, "error")}


def test_an_answer_to_another_request_is_missing() -> None:
    lost = ListFacts("tools/list", (), 0, ListOutcome.NO_RESULT, reply("tools/list", ReplyKind.TIMEOUT))
    for during in ("prompts/list", None):
        line = frame(ANSWER, during=during, faults=[FaultCode.ID_UNKNOWN])
        assert told(json_rpc_ids.BLOCK, run(line, lists=[lost])) == {
            ("stdout-unexpected-request-id", None, "error")
        }


def test_only_responses_are_judged_by_their_ids() -> None:
    request = frame(ASK, faults=[FaultCode.ID_UNKNOWN])
    assert findings(json_rpc_ids.BLOCK, run(request, frame(NOTE), frame(ANSWER))) == []


def test_an_id_of_another_type() -> None:
    line = frame(ANSWER, faults=[FaultCode.ID_TYPE])
    assert told(json_rpc_ids.BLOCK, run(line)) == {("response-id-type-mismatch", None, "error")}


def test_a_response_without_an_id_before_the_handshake_answers_initialize() -> None:
    line = replace(frame(ANSWER), id=None)
    refused = run(line, initialize=reply("initialize", ReplyKind.TIMEOUT))
    assert findings(json_rpc_ids.BLOCK, refused) == []
    assert told(json_rpc_ids.BLOCK, run(line)) == {("notification-response", None, "error")}


def test_requests_of_the_server() -> None:
    assert told(server_messages.BLOCK, run(frame(ASK))) == {("server-request-undeclared", None, "error")}
    assert findings(server_messages.BLOCK, run(frame(PING), frame(ANSWER), frame(NOTE), frame("log"))) == []


def test_what_is_no_message_of_the_server_is_never_too_early() -> None:
    lines = [
        frame("log", phase=Phase.STARTUP),
        frame(ANSWER, phase=Phase.STARTUP),
        replace(frame(ANSWER, phase=Phase.STARTUP), method="roots/list"),
    ]
    assert findings(server_messages.BLOCK, run(*lines)) == []


def changed(at_ms: float, phase: Phase = Phase.POST_INITIALIZE, method: str = "tools/list_changed") -> Frame:
    text = NOTE.replace("notifications/message", f"notifications/{method}")
    return frame(text, phase=phase, at_ms=at_ms)


@pytest.mark.parametrize(
    ("line", "sent_ms", "early"),
    [
        (changed(100.0), 100.0, False),
        (changed(99.0), 100.0, True),
        (changed(101.0), 100.0, False),
        (changed(99.0), None, False),
        (changed(101.0, Phase.STARTUP), 100.0, True),
        (changed(101.0, Phase.STARTUP), None, True),
        (changed(99.0, method="message"), 100.0, False),
        (frame(PING, at_ms=99.0), 100.0, False),
    ],
)
def test_messages_before_the_client_is_ready(line: Frame, sent_ms: float | None, early: bool) -> None:
    facts = run(line, wire={"initialized_ms": sent_ms})
    expected = {("message-before-initialized", None, "warning")} if early else set()
    assert told(server_messages.BLOCK, facts) == expected


LATE = frame(ANSWER, phase=Phase.SHUTDOWN, late=True)


def test_an_answer_that_came_with_the_end() -> None:
    block = python_buffering.BLOCK
    assert told(block, run(LATE, plain_python=True)) == {("python-buffered-stdio", None, "error")}
    assert reasons(block, run(LATE)) == {
        "python-buffered-stdio": "the command does not start Python with buffered output"
    }
    others = [
        replace(LATE, late=False),
        replace(LATE, phase=Phase.OPERATION),
        replace(LATE, faults=(Fault(FaultCode.VERSION),)),
        frame(NOTE, phase=Phase.SHUTDOWN, late=True),
    ]
    assert findings(block, run(*others, plain_python=True)) == []
    assert reasons(block, run(*others, plain_python=True)) == {}


def test_lists_that_were_answered_hold_no_place_for_strangers() -> None:
    line = frame(ANSWER, during="tools/list", faults=[FaultCode.ID_UNKNOWN])
    assert told(json_rpc_ids.BLOCK, run(line, lists=[listing()])) == {
        ("stdout-unexpected-request-id", None, "error")
    }
