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
    again = BAD[module]
    elsewhere = replace(again, case=replace(again.case, parameter="b"))
    first, second = module.check(calls(again, again, elsewhere, again))
    assert first.evidence["cases"] == 3
    assert "cases" not in second.evidence
    assert second.location.parameter == "b"
    assert first.fingerprint != second.fingerprint


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
