"""Each rule on built facts, both ways; messages, grouping and severities."""

from dataclasses import replace
from types import ModuleType

import pytest

from mcp_check_core.model.finding import Severity
from mcp_check_core.model.json_value import Json
from mcp_fuzz.facts.call import Call, Leftovers, ToolCalls
from mcp_fuzz.facts.case import LISTING, Case, Phase, Validity
from mcp_fuzz.facts.outcome import ErrorKind, Outcome, Verdict
from mcp_fuzz.registry import RULES, TOOL_RULES
from mcp_fuzz.rules import (
    accepted_invalid,
    crash,
    internal_error,
    malformed_response,
    process_left_behind,
    response_too_large,
    timeout,
)

VALID = Case("add", "add", Phase.VALID, {"a": 1}, Validity.VALID, variant="minimal")
MISSING = Case("add", "add", Phase.MISSING, {}, Validity.INVALID, parameter="a", pointer="/a")


def wrong(sent: Json, *wanted: str) -> Case:
    return Case("add", "add", Phase.WRONG_TYPE, {"a": sent}, Validity.INVALID, "", "a", "/a", wanted, sent)


WRONG = wrong("sample", "integer")
CRASH = Call(VALID, Verdict(Outcome.CRASH), death={"exitCode": 1}, stderr="boom", seen=3, tries=3)
TIMEOUT = Call(
    VALID, Verdict(Outcome.TIMEOUT, "no answer within 15 s"), waited=True, alive=False, seen=3, tries=3
)
INTERNAL = Call(MISSING, Verdict(Outcome.INTERNAL_ERROR, "error 0: 'a'", ErrorKind.CODE))
MALFORMED = Call(VALID, Verdict(Outcome.MALFORMED, "it has no content"), excerpt="{}")
ACCEPTED = Call(MISSING, Verdict(Outcome.ACCEPTED_INVALID, "Hello"))
TOO_LARGE = Call(VALID, Verdict(Outcome.TOO_LARGE, "an answer of 20000000 bytes"), size=20_000_000)

UNANSWERED = (
    "The server did not answer a call with a string for a and ended with exit code 1 at the next request."
)
BAD = {
    crash: CRASH,
    timeout: TIMEOUT,
    internal_error: INTERNAL,
    malformed_response: MALFORMED,
    accepted_invalid: ACCEPTED,
    response_too_large: TOO_LARGE,
}
GOOD = ToolCalls(
    "add",
    (
        Call(VALID, Verdict(Outcome.OK)),
        Call(VALID, Verdict(Outcome.REJECTED, "there is none")),
        Call(MISSING, Verdict(Outcome.REJECTED, "a is required")),
        Call(VALID, Verdict(Outcome.REJECTED, "fetch failed", environment="the network")),
        Call(VALID, Verdict(Outcome.STOPPED, "over our limit")),
    ),
)


def calls(*made: Call) -> ToolCalls:
    return ToolCalls("add", made)


@pytest.mark.parametrize("module", TOOL_RULES, ids=lambda module: module.RULE.slug)
def test_a_rule_fires_on_its_outcome_and_on_no_other(module: ModuleType) -> None:
    (finding,) = module.check(calls(BAD[module]))
    assert finding.rule_id == module.RULE.id
    assert finding.severity is module.RULE.severity
    assert finding.location.tool == "add"
    assert finding.message.endswith(".")
    assert finding.hint
    assert isinstance(finding.reproduce, dict)
    assert list(module.check(GOOD)) == []
    others = [call for owner, call in BAD.items() if owner is not module]
    assert list(module.check(calls(*others))) == []


def test_every_rule_that_judges_calls_is_tried_here() -> None:
    assert set(BAD) == set(TOOL_RULES)
    assert len({rule.id for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("module", TOOL_RULES, ids=lambda module: module.RULE.slug)
def test_one_finding_a_parameter_and_further_cases_are_counted(module: ModuleType) -> None:
    again = replace(BAD[module], case=MISSING)
    elsewhere = replace(again, case=replace(again.case, parameter="b"))
    if module is internal_error:
        elsewhere = replace(elsewhere, verdict=replace(again.verdict, detail="error 0: 'b'"))
    first, second = module.check(calls(again, again, elsewhere, again))
    assert first.evidence["cases"] == 3
    assert "cases" not in second.evidence
    assert second.location.parameter == "b"
    assert first.fingerprint != second.fingerprint


FOLDED = [module for module in TOOL_RULES if module is not accepted_invalid]


@pytest.mark.parametrize("module", FOLDED, ids=lambda module: module.RULE.slug)
def test_what_a_valid_call_does_too_is_not_laid_to_a_parameter(module: ModuleType) -> None:
    valid = replace(BAD[module], case=VALID)
    bad = replace(valid, case=MISSING)
    (finding,) = module.check(calls(valid, bad))
    assert finding.location.parameter is None
    assert finding.evidence["cases"] == 2
    assert finding.fingerprint == next(module.check(calls(valid))).fingerprint


@pytest.mark.parametrize("module", FOLDED, ids=lambda module: module.RULE.slug)
def test_what_a_valid_call_does_not_do_is_laid_to_the_parameter(module: ModuleType) -> None:
    ok = Call(VALID, Verdict(Outcome.OK))
    (finding,) = module.check(calls(ok, replace(BAD[module], case=MISSING)))
    assert finding.location.parameter == "a"


def test_a_crash_of_another_kind_than_that_of_the_valid_call_is_one_of_its_own() -> None:
    other = replace(CRASH, case=MISSING, death={"signal": 11})
    assert [finding.location.parameter for finding in crash.check(calls(CRASH, other))] == [None, "a"]


def on(tool: str, call: Call) -> ToolCalls:
    return ToolCalls(tool, (replace(call, case=replace(call.case, tool=tool, name=tool)),))


def test_one_text_on_many_tools_is_one_finding_that_names_them() -> None:
    tools = [f"tool{number}" for number in range(30)]
    (finding,) = internal_error.check(*(on(tool, INTERNAL) for tool in tools))
    assert finding.location.tool == "tool0"
    assert finding.evidence["tools"] == tools[:20]
    assert finding.evidence["toolCount"] == 30
    assert "on 30 tools alike" in finding.message
    (alone,) = internal_error.check(on("tool0", INTERNAL))
    assert alone.fingerprint == finding.fingerprint
    assert "tools" not in alone.evidence


def test_the_tool_that_showed_a_cause_first_is_named_though_others_fail_on_valid_calls() -> None:
    poisoned = replace(INTERNAL, case=VALID)
    (finding,) = internal_error.check(on("one", INTERNAL), on("two", poisoned))
    assert (finding.location.tool, finding.location.parameter) == ("one", "a")
    assert finding.message == (
        "The server answers a call without a, on 2 tools alike, "
        "with a JSON-RPC error that says the fault is the server's."
    )


def test_two_texts_on_two_tools_are_two_findings() -> None:
    other = replace(INTERNAL, verdict=replace(INTERNAL.verdict, detail="error 0: 'b'"))
    found = list(internal_error.check(on("one", INTERNAL), on("two", other)))
    assert [finding.location.tool for finding in found] == ["one", "two"]


def test_two_texts_of_valid_calls_of_one_tool_are_one_finding() -> None:
    first = replace(INTERNAL, case=VALID)
    other = replace(first, verdict=replace(INTERNAL.verdict, detail="error 0: 'b'"))
    (finding,) = internal_error.check(calls(first, other))
    assert finding.evidence["cases"] == 2


def test_refusals_in_the_wrong_code_are_one_note_on_the_server() -> None:
    refusal = Call(MISSING, Verdict(Outcome.REJECTED, "error -32603: a is required", wrong_code=-32603))
    (finding,) = internal_error.check(on("one", refusal), on("two", refusal))
    assert (finding.kind, finding.severity) == ("wrong-code", Severity.INFO)
    assert finding.location.tool is None
    assert finding.evidence["tools"] == ["one", "two"]
    assert finding.message == (
        "The server refuses calls of 2 tools in words, but with error -32603, "
        "which says that the fault is its own."
    )
    (alone,) = internal_error.check(on("two", refusal))
    assert alone.fingerprint == finding.fingerprint


def test_a_time_out_that_came_once_or_without_the_network_is_a_warning() -> None:
    (flaky,) = timeout.check(calls(replace(TIMEOUT, seen=1)))
    assert (flaky.kind, flaky.severity) == ("flaky", Severity.WARNING)
    (offline,) = timeout.check(calls(replace(TIMEOUT, offline=True)))
    assert (offline.kind, offline.severity) == ("offline", Severity.WARNING)
    assert "failed for want of the network" in offline.message
    wanting = replace(TIMEOUT, seen=1, verdict=replace(TIMEOUT.verdict, environment="the network"))
    assert list(timeout.check(calls(wanting))) == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (CRASH, "The server ended with exit code 1 on a valid call."),
        (replace(CRASH, death={"signal": 9}), "The server ended by signal 9 on a valid call."),
        (
            replace(CRASH, death={"running": True}),
            "The server closed its output and kept running on a valid call.",
        ),
        (
            replace(CRASH, case=MISSING, after_answer=True),
            "The server ended with exit code 1 after it had answered a call without a.",
        ),
        (
            replace(CRASH, case=WRONG, waited=True),
            UNANSWERED,
        ),
        (
            replace(CRASH, seen=1),
            "The server ended with exit code 1 on a valid call (seen 1 time in 3).",
        ),
        (replace(CRASH, case=LISTING), "The server ended with exit code 1 on tools/list."),
    ],
)
def test_a_crash_is_told_as_it_was_seen(call: Call, message: str) -> None:
    (finding,) = crash.check(calls(call))
    assert finding.message == message


def test_a_flaky_crash_is_labelled() -> None:
    (finding,) = crash.check(calls(replace(CRASH, seen=2)))
    assert finding.kind == "flaky"
    assert finding.evidence["reproduced"] == "2 of 3"
    (steady,) = crash.check(calls(CRASH))
    assert steady.kind is None
    assert steady.evidence["reproduced"] == "3 of 3"


def test_a_crash_on_the_list_has_no_tool() -> None:
    (finding,) = crash.check(ToolCalls("", (replace(CRASH, case=LISTING),)))
    assert finding.location.tool is None
    assert finding.reproduce == {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


def test_a_time_out_says_whether_the_server_answered_anything_and_that_the_tool_was_left() -> None:
    facts = ToolCalls("add", (TIMEOUT,), stopped="not called again after its second time-out")
    (finding,) = timeout.check(facts)
    assert finding.message == "There was no answer within 15 s to a valid call."
    assert finding.evidence["answersPing"] is False
    assert finding.evidence["stopped"] == facts.stopped


@pytest.mark.parametrize("kind", ErrorKind)
def test_an_internal_error_says_how_it_shows(kind: ErrorKind) -> None:
    (finding,) = internal_error.check(
        calls(replace(INTERNAL, verdict=replace(INTERNAL.verdict, error_kind=kind)))
    )
    assert finding.evidence["kind"] == kind.value


@pytest.mark.parametrize(
    ("case", "coerced", "kind", "severity", "message"),
    [
        (
            MISSING,
            False,
            "missing",
            Severity.WARNING,
            "A call without a, which the schema requires, succeeds.",
        ),
        (
            WRONG,
            False,
            "wrong-type",
            Severity.WARNING,
            "A call with a string for a, where the schema wants integer, succeeds.",
        ),
        (
            wrong("5", "integer"),
            True,
            "coerced",
            Severity.INFO,
            "A call with a string for a, where the schema wants integer, is taken as one.",
        ),
    ],
)
def test_kinds_of_accepted_calls(
    case: Case, *, coerced: bool, kind: str, severity: Severity, message: str
) -> None:
    call = Call(case, Verdict(Outcome.ACCEPTED_INVALID, "6", coerced=coerced))
    (finding,) = accepted_invalid.check(calls(call))
    assert (finding.kind, finding.severity, finding.message) == (kind, severity, message)


def test_a_missing_argument_and_a_wrong_type_are_two_findings() -> None:
    both = calls(ACCEPTED, Call(WRONG, Verdict(Outcome.ACCEPTED_INVALID, "Hello")))
    assert [finding.kind for finding in accepted_invalid.check(both)] == ["missing", "wrong-type"]


def test_leftovers_are_told_once_by_their_worst_end() -> None:
    ends = [Leftovers(()), Leftovers(("sleep 50",)), Leftovers(("sleep 50", "sleep 50", "helper"))]
    (finding,) = process_left_behind.check(ends)
    assert finding.message == "3 processes that the server had started ran on after its orderly end."
    assert finding.evidence["processes"] == ["helper", "sleep 50 (×2)"]
    assert list(process_left_behind.check([Leftovers(()), Leftovers(())])) == []
    assert list(process_left_behind.check([])) == []


def test_long_arguments_are_cut_in_evidence() -> None:
    long = replace(VALID, arguments={"a": "x" * 100_000, "b": list(range(10_000))})
    (finding,) = crash.check(calls(replace(CRASH, case=long)))
    assert len(str(finding.evidence)) < 2_000
    assert len(str(finding.reproduce)) < 10_000
