"""Replies are judged as the table of outcomes says."""

import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition, read_tools
from mcp_check_core.wire.faults import Fault, FaultCode
from mcp_check_core.wire.message import RpcError
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_fuzz.facts.case import Case, Phase, Validity, is_writing_of
from mcp_fuzz.facts.outcome import ErrorKind, Outcome, Verdict, classify_failure
from mcp_fuzz.facts.outcome import classify as classify_of

VALID = Case("add", "add", Phase.VALID, {"a": 1}, Validity.VALID)
MISSING = Case("add", "add", Phase.MISSING, {}, Validity.INVALID, parameter="a", pointer="/a")
UNKNOWN = Case("add", "add", Phase.MISSING, {}, Validity.UNKNOWN, parameter="a", pointer="/a")


(TOOL,) = read_tools([{"name": "add", "description": "Add numbers.", "inputSchema": {"type": "object"}}])


def classify(answer: Reply, case: Case, tool: ToolDefinition = TOOL) -> Verdict:
    return classify_of(answer, case, tool)


def wrong(sent: Json, *wanted: str) -> Case:
    return Case("add", "add", Phase.WRONG_TYPE, {"a": sent}, Validity.INVALID, "", "a", "/a", wanted, sent)


def reply(kind: ReplyKind = ReplyKind.RESULT, result: Json = None, error: RpcError | None = None) -> Reply:
    return Reply(kind, 1, "tools/call", 3.0, result, error)


def told(text: str) -> Reply:
    return reply(result={"content": [{"type": "text", "text": text}], "isError": True})


def failed(code: int, message: str, data: Json = None) -> Reply:
    return reply(ReplyKind.ERROR, error=RpcError(code, message, data))


def said(text: str) -> Reply:
    return reply(result={"content": [{"type": "text", "text": text}]})


OK = reply(
    result={"content": [{"type": "text", "text": "6"}], "isError": False, "structuredContent": {"r": 6}}
)


def test_success_on_valid_input() -> None:
    assert classify(OK, VALID) == Verdict(Outcome.OK)
    assert classify(OK, VALID).orderly


def test_success_on_bad_input_is_accepted() -> None:
    verdict = classify(OK, MISSING)
    assert verdict.outcome is Outcome.ACCEPTED_INVALID
    assert not verdict.orderly
    assert classify(OK, wrong("sample", "integer")).outcome is Outcome.ACCEPTED_INVALID


def test_success_is_no_defect_where_the_schema_cannot_judge() -> None:
    assert classify(OK, UNKNOWN).outcome is Outcome.OK


def test_another_writing_of_a_value_is_orderly() -> None:
    verdict = classify(OK, wrong("5", "integer"))
    assert (verdict.outcome, verdict.coerced, verdict.orderly) == (Outcome.ACCEPTED_INVALID, True, True)


@pytest.mark.parametrize(
    ("value", "kind", "same"),
    [
        ("5", "integer", True),
        ("5.5", "integer", False),
        ("5.5", "number", True),
        ("sample", "number", False),
        (True, "integer", True),
        ("true", "boolean", True),
        (12345, "boolean", False),
        (12345, "string", False),
        (None, "integer", False),
        (["sample"], "boolean", False),
    ],
)
def test_what_counts_as_another_writing(value: Json, kind: str, *, same: bool) -> None:
    assert is_writing_of(value, kind) is same


@pytest.mark.parametrize(
    "answer",
    [
        told("Input validation error: 'a' is a required property"),
        told("Unknown tool: nope"),
        told("Error executing tool terr: friendly"),
        told(""),
        failed(-32602, "Invalid request parameters", ""),
        failed(-32602, "Tool nope not found"),
        failed(-32603, "1 validation error for add\na\n  Field required [type=missing, input_value={}]"),
        failed(-32603, 'Invalid: [{"code": "invalid_type", "path": ["a"]}]'),
        failed(-32603, "bad call", "Input validation error: 'a' is a required property"),
        failed(-32600, "Invalid Request"),
        failed(-32002, "resource not found"),
        failed(404, "no such issue"),
    ],
)
def test_orderly_refusals(answer: Reply) -> None:
    for case in (VALID, MISSING):
        verdict = classify(answer, case)
        assert verdict.outcome is Outcome.REJECTED
        assert verdict.orderly


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (failed(0, "secret-detail"), ErrorKind.CODE),
        (failed(0, "'city'"), ErrorKind.CODE),
        (failed(-32603, "Internal server error"), ErrorKind.CODE),
        (failed(-32000, "boom"), ErrorKind.CODE),
        (failed(-32601, "Method not found"), ErrorKind.CODE),
        (
            failed(-32603, 'MCP error -32603: An unexpected error occurred during "Failed to make."'),
            ErrorKind.CODE,
        ),
        (failed(-32603, "x?.trim is not a function"), ErrorKind.TRACE),
        (told("fetch failed\n    at send (/srv/dist/index.js:10:5)"), ErrorKind.TRACE),
        (told("Error processing forum query: "), ErrorKind.HIDDEN),
        (failed(-32603, "Cannot read properties of undefined (reading 'x')"), ErrorKind.TRACE),
        (told("Traceback (most recent call last):\n ..."), ErrorKind.TRACE),
        (told("Error executing tool boom"), ErrorKind.HIDDEN),
    ],
)
def test_internal_errors(answer: Reply, kind: ErrorKind) -> None:
    verdict = classify(answer, MISSING)
    assert (verdict.outcome, verdict.error_kind, verdict.orderly) == (Outcome.INTERNAL_ERROR, kind, False)


@pytest.mark.parametrize(
    "text",
    [
        "Invalid arguments for web search",
        'Invalid arguments: sort: Invalid option: expected one of "asc"|"desc"',
        "Invalid URL",
        "Either number or branch must be provided",
        "MCP error -32603: there is no bookmark 7",
        '[{"code": "invalid_type", "path": ["a"]}]',
    ],
)
@pytest.mark.parametrize("code", [-32603, -32000, 0])
def test_words_with_a_servers_code_are_a_refusal_in_the_wrong_code(text: str, code: int) -> None:
    for case in (VALID, MISSING):
        verdict = classify(failed(code, text), case)
        assert (verdict.outcome, verdict.wrong_code, verdict.orderly) == (Outcome.REJECTED, code, True)
    assert classify(failed(-32602, text), MISSING).wrong_code is None
    assert classify(told(text), MISSING).wrong_code is None


def test_a_list_has_no_arguments_that_could_be_refused() -> None:
    assert classify_failure(failed(-32603, "the list is not there today")).outcome is Outcome.INTERNAL_ERROR


@pytest.mark.parametrize(
    "text",
    [
        '{"error":"Missing required arguments: channel, text"}',
        "Failed to create the video: Prompt is required",
        '{"error": "Cannot read properties of undefined (reading \'map\')"}',
        "Traceback (most recent call last):\n  File \"/srv/a.py\", line 1, in f\nKeyError: 'a'",
    ],
)
def test_a_refusal_that_calls_itself_a_success_is_one_all_the_same(text: str) -> None:
    for case in (VALID, MISSING):
        verdict = classify(said(text), case)
        assert (verdict.outcome, verdict.disguised, verdict.environment) == (Outcome.REJECTED, True, None)


@pytest.mark.parametrize(
    ("text", "wanting"),
    [
        ('{"error":"fetch failed"}', "the network"),
        ('{"ok":false,"error":"invalid_auth"}', "a credential"),
    ],
)
def test_a_disguised_failure_for_want_of_something_is_the_environment(text: str, wanting: str) -> None:
    verdict = classify(said(text), MISSING)
    assert (verdict.outcome, verdict.disguised, verdict.environment) == (Outcome.REJECTED, True, wanting)


@pytest.mark.parametrize("text", ["Hello, 12345!", "[]", "null", '{"error": null, "sum": 6}', "6"])
def test_other_answers_to_bad_input_are_accepted(text: str) -> None:
    verdict = classify(said(text), MISSING)
    assert (verdict.outcome, verdict.disguised) == (Outcome.ACCEPTED_INVALID, False)


@pytest.mark.parametrize(
    ("answer", "wanting"),
    [
        (told("fetch failed"), "the network"),
        (failed(-32603, "getaddrinfo ENOTFOUND api.example.com"), "the network"),
        (told("401 Unauthorized"), "a credential"),
        (failed(-32042, "visit the URL"), "a credential"),
        (told("Too many requests"), "quota"),
        (told("spawn ffplay ENOENT"), "a program beside it"),
    ],
)
def test_the_environment_is_no_defect(answer: Reply, wanting: str) -> None:
    verdict = classify(answer, VALID)
    assert (verdict.outcome, verdict.environment, verdict.orderly) == (Outcome.REJECTED, wanting, True)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (reply(ReplyKind.TIMEOUT), Outcome.TIMEOUT),
        (reply(ReplyKind.CLOSED), Outcome.CRASH),
        (reply(ReplyKind.UNSENT), Outcome.CRASH),
        (reply(ReplyKind.TOO_LARGE), Outcome.TOO_LARGE),
        (reply(ReplyKind.MALFORMED), Outcome.MALFORMED),
        (reply(result={}), Outcome.MALFORMED),
        (reply(result={"content": "text"}), Outcome.MALFORMED),
        (reply(result={"content": ["text"]}), Outcome.MALFORMED),
        (reply(result={"content": [], "isError": "no"}), Outcome.MALFORMED),
    ],
)
def test_the_other_ends(answer: Reply, outcome: Outcome) -> None:
    verdict = classify(answer, VALID)
    assert verdict.outcome is outcome
    assert not verdict.orderly


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "data": "AA==", "mimeType": "image/png"},
        {"type": "resource_link", "uri": "file:///a", "name": "a"},
        {"type": "resource", "resource": {"uri": "file:///a", "text": ""}},
    ],
)
def test_other_content_than_text_is_a_result(block: Json) -> None:
    assert classify(reply(result={"content": [block]}), VALID).outcome is Outcome.OK


def test_the_faults_of_a_malformed_answer_are_told() -> None:
    faulty = Reply(
        ReplyKind.MALFORMED, 1, "tools/call", 3.0, faults=(Fault(FaultCode.TOO_DEEP, "512 levels"),)
    )
    assert classify(faulty, VALID).detail == "too-deep (512 levels)"
