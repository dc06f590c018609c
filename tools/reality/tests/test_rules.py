"""Each rule on facts made by hand, both ways."""

from dataclasses import replace
from typing import Any

import pytest

from mcp_check_core.model.finding import Certainty, Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_reality_check.facts.call import Call, Input, Link, Purpose, Read, ToolCalls, Write, tool_calls
from mcp_reality_check.facts.outcome import Ending, Outcome
from mcp_reality_check.rules import (
    call_crashed,
    call_timeout,
    content_invalid,
    dead_resource_link,
    echo_mismatch,
    error_as_success,
    input_ignored,
    schema_violation,
    unconfirmed_write,
)

from .making import call, facts, findings, ids, judged, result, tool

AGE: dict[str, Any] = {
    "type": "object",
    "properties": {"age": {"type": "integer", "minimum": 0}},
    "required": ["age"],
    "additionalProperties": False,
}
PREFIX = result("Error: there is nothing of that name")
NO_SUCH = {"id": "no-such-thing"}


def only(found: list[Finding]) -> Finding:
    assert len(found) == 1
    return found[0]


def ended(outcome: Outcome) -> Call:
    return Call(Purpose.REALISTIC, Input({"id": "7"}, {"/id": "name: id"}), Ending(outcome, "told"))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("I’m sorry, but I don’t have access to your files.", "disguised-refusal"),
        ("Lo siento, pero no puedo ayudarte con esa solicitud.", "disguised-refusal"),
        ("Your request could not be processed.", "disguised-refusal"),
        ("This is not possible.", "disguised-refusal"),
        ("Not allowed", "disguised-refusal"),
        ("No permission.", "disguised-refusal"),
        ("Error: 401 Unauthorized", "error-as-success"),
        ("Access denied", "error-as-success"),
        ("Rate limit exceeded. Please try again in 32 seconds.", "error-as-success"),
        ("KeyError: 'a'", "error-as-success"),
        ('{"success": false}', "error-as-success"),
        ('{"error": "boom", "status": 500}', "error-as-success"),
        ('{"isError": true, "content": []}', "error-as-success"),
        ("<html><head><title>502 Bad Gateway</title></head><body></body></html>", "error-as-success"),
        ('Traceback (most recent call last):\n  File "a.py", line 3, in f\nKeyError: 7', "error-as-success"),
        ('Traceback (most recent call last):\n  File "a.py", line 3, in f\nKeyError: 7', "stack-trace"),
        ("null", "empty-success"),
        ("N/A", "empty-success"),
        ("\u200b\u2060", "empty-success"),
        ("This tool is not implemented yet.", "placeholder"),
        ("TODO: implement", "placeholder"),
    ],
)
def test_a_success_that_is_none(text: str, rule: str) -> None:
    assert rule in judged(result(text))


@pytest.mark.parametrize(
    "text",
    [
        "Sharks can't swim backwards.",
        "3 users not authorized",
        "code,meaning\n401,unauthorized\n500,error\n",
        "2026-05-03 12:00:01 WARN retry after error 502",
        "[]",
        '{"items": [], "count": 0}',
        "The balance is 0.00 EUR.",
        "Permission denied errors usually mean that the role lacks the scope.",
    ],
)
def test_an_honest_text_is_left_alone(text: str) -> None:
    assert judged(result(text)) == set()


@pytest.mark.parametrize(
    "text",
    ["I'm sorry, but I can't do that.", "Error: boom", "null", "", "This tool is not implemented yet."],
)
def test_an_honest_error_is_never_flagged(text: str) -> None:
    assert judged(result(text, isError=True), outputSchema=AGE) == set()


def test_a_write_may_return_nothing() -> None:
    assert judged(result(), "delete_note", annotations={"readOnlyHint": False}) == set()
    assert judged(result()) == {"empty-success"}


def test_content_that_is_no_text_is_content() -> None:
    gif = {"type": "image", "data": "R0lGODlhAQABAAAAACw=", "mimeType": "image/gif"}
    assert judged({"content": [gif]}) == set()
    assert judged({"content": [], "structuredContent": {"age": 3}}) == set()


def test_a_prefix_alone_is_a_hunch() -> None:
    found = only(list(error_as_success.check(facts(call(PREFIX)))))
    assert (found.severity, found.certainty) == (Severity.WARNING, Certainty.HEURISTIC)


def test_a_prefix_is_proved_by_the_same_shape_for_what_cannot_exist() -> None:
    absent = call(PREFIX, NO_SUCH, Purpose.ABSENT)
    found = only(list(error_as_success.check(facts(call(PREFIX), absent))))
    assert (found.severity, found.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert found.evidence["case"] == "realistic"
    assert found.evidence["calls"] == 2


def test_a_prefix_is_proved_by_another_call_that_is_answered_well() -> None:
    absent = call(PREFIX, NO_SUCH, Purpose.ABSENT)
    found = only(list(error_as_success.check(facts(call(result("buy bread")), absent))))
    assert (found.severity, found.evidence["case"]) == (Severity.ERROR, "absent")


def test_a_prefix_of_two_realistic_calls_proves_nothing() -> None:
    other = call(PREFIX, {"id": "8"}, Purpose.OTHER)
    found = only(list(error_as_success.check(facts(call(PREFIX), other))))
    assert found.severity is Severity.WARNING


def test_a_prefix_is_not_proved_by_the_same_arguments() -> None:
    absent = call(PREFIX, {"id": "7"}, Purpose.ABSENT)
    assert only(list(error_as_success.check(facts(call(PREFIX), absent)))).severity is Severity.WARNING


def test_a_trace_far_into_a_text_is_a_stack_trace_alone() -> None:
    trace = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\nKeyError: 7'
    assert judged(result("All went well with the first part of it.\n" * 9 + trace)) == {"stack-trace"}


@pytest.mark.parametrize(
    ("structured", "keyword", "pointer"),
    [
        ({"age": "36"}, "type", "/structuredContent/age"),
        ({"age": -1}, "minimum", "/structuredContent/age"),
        ({}, "required", "/structuredContent"),
        ({"age": 36, "_id": 1}, "additionalProperties", "/structuredContent"),
        ({"age": 36.5}, "type", "/structuredContent/age"),
        (None, "type", "/structuredContent"),
    ],
)
def test_structured_content_that_breaks_the_schema(structured: Json, keyword: str, pointer: str) -> None:
    answer = result("a text", structuredContent=structured)
    found = only(list(schema_violation.check(facts(call(answer), of=tool(outputSchema=AGE)))))
    faults: Any = found.evidence["faults"]
    assert faults[0]["keyword"] == keyword
    assert (found.location.pointer, found.kind) == (pointer, "invalid")


@pytest.mark.parametrize("structured", [{"age": 36}, {"age": 36.0}])
def test_structured_content_that_fits(structured: Json) -> None:
    assert judged(result("a text", structuredContent=structured), outputSchema=AGE) == set()


def test_structured_content_is_missing_where_a_schema_is_declared() -> None:
    found = only(list(schema_violation.check(facts(call(result("36")), of=tool(outputSchema=AGE)))))
    assert found.kind == "missing"
    assert judged(result("36")) == set()
    assert judged(result("36"), outputSchema=None) == set()


@pytest.mark.parametrize(
    "schema", [{"$ref": "https://example.com/a.json"}, {"type": 3}, "none", {"$schema": "x"}]
)
def test_a_schema_that_cannot_judge_finds_nothing(schema: Json) -> None:
    answer = facts(call(result("a", structuredContent={"age": "x"})), of=tool(outputSchema=schema))
    assert "schema-violation" not in ids(findings(answer))
    assert answer.output.problem is not None


@pytest.mark.parametrize(
    ("answer", "schema"),
    [
        (
            {
                "content": [{"type": "text", "text": str(n)} for n in range(3)],
                "structuredContent": {"result": [0, 1, 2]},
            },
            {"type": "object", "properties": {"result": {"type": "array", "items": {"type": "integer"}}}},
        ),
        (
            {"content": [{"type": "text", "text": '{\n  "k": 1\n}'}], "structuredContent": {"k": 1}},
            {"type": "object", "properties": {"k": {"type": "integer"}}},
        ),
        (
            {"content": [{"type": "text", "text": '{"a": 1}'}], "structuredContent": {"result": '{"a": 1}'}},
            {"type": "object", "properties": {"result": {"type": "string"}}},
        ),
    ],
)
def test_what_sdks_wrap_is_no_defect(answer: dict[str, Any], schema: Json) -> None:
    assert judged(answer, outputSchema=schema) == set()


def test_a_plain_return_of_nothing_is_no_defect_of_a_writer() -> None:
    schema: Json = {"type": "object", "properties": {"result": {"type": "null"}}, "required": ["result"]}
    answer = {"content": [], "structuredContent": {"result": None}}
    assert judged(answer, "save_note", annotations={}, outputSchema=schema) == set()


def test_an_error_that_strict_clients_hide() -> None:
    answer = result("no such order", isError=True, structuredContent={"code": 404})
    assert judged(answer, outputSchema=AGE) == {"error-masked"}
    assert judged(result("no", isError=True, structuredContent={"age": 1}), outputSchema=AGE) == set()


def test_an_answer_that_is_no_tool_result() -> None:
    bad = call({"content": "hello"})
    found = only(list(content_invalid.check(facts(bad))))
    assert found.kind == "no-tool-result"
    found = only(list(content_invalid.check(facts(ended(Outcome.UNREADABLE)))))
    assert (found.kind, found.severity) == ("unreadable", Severity.ERROR)


def test_a_crash_says_what_was_seen() -> None:
    crash = replace(ended(Outcome.CRASH), death={"signal": 11}, seen=2, tries=3)
    found = only(list(call_crashed.check(facts(crash))))
    assert (
        found.message == "The server ended by signal 11 on a call with realistic input (seen 2 of 3 times)."
    )
    assert found.kind == "flaky"
    assert found.evidence["inputSource"] == {"/id": "name: id"}
    later = replace(ended(Outcome.CRASH), death={"exitCode": 1}, after_answer=True)
    assert (
        "ended with exit code 1 after it had answered" in only(list(call_crashed.check(facts(later)))).message
    )
    assert list(call_crashed.check(facts(call(result("fine"))))) == []


def test_a_timeout() -> None:
    found = only(list(call_timeout.check(facts(replace(ended(Outcome.TIMEOUT), alive=True, waited=True)))))
    assert found.evidence["answersPing"] is True
    assert list(call_timeout.check(facts(ended(Outcome.ERROR)))) == []


def test_a_timeout_of_a_server_without_its_network_is_a_warning() -> None:
    seen = replace(facts(ended(Outcome.TIMEOUT)), offline=True)
    found = only(list(call_timeout.check(seen)))
    assert (found.severity, found.certainty) == (Severity.WARNING, Certainty.HEURISTIC)
    assert "want of the network" in found.message


SUNNY = result("Tomorrow it will be sunny with 21 degrees.")


def three(first: dict[str, Any], other: dict[str, Any], absent: dict[str, Any]) -> set[str]:
    calls = (
        call(first),
        call(other, {"id": "8"}, Purpose.OTHER),
        call(absent, NO_SUCH, Purpose.ABSENT),
    )
    return ids(list(input_ignored.check(facts(*calls))))


def test_input_that_is_ignored() -> None:
    assert three(SUNNY, SUNNY, SUNNY) == {"input-ignored"}
    assert three(SUNNY, SUNNY, result("It will rain there, and it will be cold.")) == set()
    assert three(SUNNY, result("It will rain there, and it will be cold."), SUNNY) == set()
    nothing = result('{"entities": [], "relations": []}')
    assert three(nothing, nothing, nothing) == set()
    none = result("No notes were found for this name.")
    assert three(none, none, none) == set()


def test_an_answer_without_a_word_of_the_input() -> None:
    def said(text: str, source: str = "name: person", purpose: Purpose = Purpose.REALISTIC) -> set[str]:
        made = call(result(text), {"name": "Ada Lovelace"}, purpose)
        named = replace(made, input=Input(made.input.arguments, {"/name": source}))
        return ids(list(echo_mismatch.check(facts(named))))

    assert said("Born in 1815, wrote the first program.") == {"echo-mismatch"}
    assert said("Lovelace, born in 1815, wrote the first program.") == set()
    assert said("Born in 1815, wrote the first program.", "enum") == set()
    assert said("Born in 1815, wrote the first program.", purpose=Purpose.OTHER) == set()
    assert said("Nothing was found.") == set()


def test_a_link_that_leads_nowhere() -> None:
    linked = call({"content": [{"type": "resource_link", "uri": "a://b", "name": "b"}]})
    for problem, wanted in ((None, 0), ("error -32002: not found", 1)):
        seen = tool_calls(tool(), (linked,), links=(Link(linked, "/content/0/uri", "a://b", problem),))
        assert len(list(dead_resource_link.check(seen))) == wanted


def test_findings_of_one_tool_have_their_own_fingerprints() -> None:
    trace = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\nKeyError: 7'
    found = list(findings(facts(call(result(trace)), of=tool(outputSchema=AGE))))
    assert ids(found) == {"error-as-success", "stack-trace", "schema-violation"}
    assert len({finding.fingerprint for finding in found}) == len(found)


def wrote(*answers: str, shown: bool = False) -> ToolCalls:
    made = call(result("created"), {"text": "buy bread"})
    reads = tuple(Read("list_notes", answer) for answer in answers)
    return replace(facts(made, of=tool("create_note")), writes=(Write(made, reads, shown),))


def test_a_write_that_no_read_shows() -> None:
    found = only(list(unconfirmed_write.check(wrote("[]"))))
    assert "list_notes" in found.message
    assert list(unconfirmed_write.check(wrote("buy bread", shown=True))) == []
    assert list(unconfirmed_write.check(wrote())) == []
