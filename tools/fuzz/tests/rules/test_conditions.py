"""The rules condition by condition, on built facts: words, kinds, severities and what is left out."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_fuzz.facts.call import Call, Leftovers, ToolCalls
from mcp_fuzz.facts.case import LISTING, Case, Phase, Validity
from mcp_fuzz.facts.outcome import ErrorKind, Outcome, Verdict
from mcp_fuzz.registry import RULES
from mcp_fuzz.rules import (
    accepted_invalid,
    crash,
    internal_error,
    process_left_behind,
    response_too_large,
    timeout,
)
from mcp_fuzz.rules.grouping import Group, deed, group, location_of

VALID = Case("add", "add", Phase.VALID, {"a": 1}, Validity.VALID)
MISSING = Case("add", "add", Phase.MISSING, {}, Validity.INVALID, parameter="a")
WRONG = Case("add", "add", Phase.WRONG_TYPE, {"a": "x"}, Validity.INVALID, "", "a", "/a", ("integer",), "x")
CRASH = Call(VALID, Verdict(Outcome.CRASH), death={"exitCode": 1}, seen=3, tries=3)
TIMEOUT = Call(VALID, Verdict(Outcome.TIMEOUT, "no answer within 15 s"), seen=3, tries=3)
INTERNAL = Call(VALID, Verdict(Outcome.INTERNAL_ERROR, "error 0", ErrorKind.TRACE))
ERRORS = {"no-connection", "crash", "timeout", "internal-error", "malformed-response"}


def one(found: Iterable[Finding]) -> Finding:
    (finding,) = found
    return finding


def on(*calls: Call) -> ToolCalls:
    return ToolCalls("add", calls)


def on_tools(count: int, call: Call) -> list[ToolCalls]:
    """Give the same call of several tools."""
    names = [f"tool{number}" for number in range(count)]
    return [ToolCalls(name, (replace(call, case=replace(call.case, tool=name)),)) for name in names]


def test_severities() -> None:
    assert {rule.slug for rule in RULES if rule.severity is Severity.ERROR} >= ERRORS
    others = {"accepted-invalid", "process-left-behind", "response-too-large"}
    assert {rule.slug for rule in RULES if rule.severity is Severity.WARNING} >= others


def test_what_is_empty_is_left_out_of_evidence() -> None:
    shown = Group(CRASH, 1).evidence(none=None, blank="", nothing={}, zero=0, no=False, some="x")
    assert shown == {"case": "valid", "arguments": {"a": 1}, "zero": 0, "no": False, "some": "x"}
    assert Group(CRASH, 2).evidence()["cases"] == 2
    assert Group(replace(CRASH, case=LISTING), 1).evidence() == {"case": "list"}


def test_places() -> None:
    assert (location_of(CRASH).tool, location_of(CRASH).parameter) == ("add", None)
    assert location_of(replace(CRASH, case=LISTING)).tool is None
    assert location_of(replace(CRASH, case=MISSING)).parameter == "a"


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (VALID, "a valid call"),
        (replace(VALID, validity=Validity.UNKNOWN), "a call"),
        (MISSING, "a call without a"),
        (replace(MISSING, parameter=None), "a call without arguments"),
        (WRONG, "a call with a string for a"),
        (LISTING, "tools/list"),
    ],
)
def test_what_was_sent(case: Case, words: str) -> None:
    assert deed(replace(CRASH, case=case)) == words


def test_what_has_one_cause_is_folded_into_the_valid_call() -> None:
    bad = replace(CRASH, case=MISSING)

    def grouped(*calls: Call, by_cause: bool = True) -> list[tuple[str | None, int]]:
        cause = (lambda call: str(call.death)) if by_cause else None
        return [(found.first.case.parameter, found.cases) for found in group(calls, cause=cause)]

    assert grouped(CRASH, bad) == [(None, 2)]
    assert grouped(CRASH, bad, by_cause=False) == [(None, 1), ("a", 1)]
    assert grouped(bad) == [("a", 1)]
    assert grouped(bad, bad) == [("a", 2)]
    assert grouped(CRASH, replace(bad, death={"signal": 9})) == [(None, 1), ("a", 1)]


@pytest.mark.parametrize(
    ("death", "words"),
    [
        ({"exitCode": 0}, "ended with exit code 0 on"),
        ({"exitCode": None, "signal": 11}, "ended by signal 11 on"),
        ({"exitCode": None, "signal": None}, "ended, unseen how, on"),
        ({"running": True}, "closed its output and kept running on"),
        ({"running": False}, "ended, unseen how, on"),
    ],
)
def test_how_a_server_ended(death: dict[str, Json], words: str) -> None:
    assert words in one(crash.check(on(replace(CRASH, death=death)))).message


@pytest.mark.parametrize(
    ("seen", "tries", "kind", "words"),
    [
        (3, 3, None, "."),
        (1, 3, "flaky", " (seen 1 time in 3)."),
        (2, 3, "flaky", " (seen 2 times in 3)."),
    ],
)
def test_how_often_a_crash_came(seen: int, tries: int, kind: str | None, words: str) -> None:
    found = one(crash.check(on(replace(CRASH, seen=seen, tries=tries))))
    assert found.kind == kind
    assert found.message.endswith(f"on a valid call{words}")


@pytest.mark.parametrize(
    ("seen", "offline", "kind", "severity"),
    [
        (3, False, None, Severity.ERROR),
        (1, False, "flaky", Severity.WARNING),
        (3, True, "offline", Severity.WARNING),
        (1, True, "flaky", Severity.WARNING),
    ],
)
def test_kinds_of_time_outs(seen: int, offline: bool, kind: str | None, severity: Severity) -> None:
    found = one(timeout.check(on(replace(TIMEOUT, seen=seen, offline=offline))))
    assert (found.kind, found.severity) == (kind, severity)
    assert ("(seen 1 of 3 times)" in found.message) is (seen == 1)
    assert ("for want of the network" in found.message) is offline


def test_a_time_out_for_want_of_something_is_none() -> None:
    wanting = replace(TIMEOUT, verdict=replace(TIMEOUT.verdict, environment="the network"))
    assert list(timeout.check(on(wanting))) == []


def test_an_internal_error_without_a_kind_is_told_by_its_code() -> None:
    plain = replace(INTERNAL, verdict=replace(INTERNAL.verdict, error_kind=None))
    assert one(internal_error.check(on(plain))).evidence["kind"] == "code"
    assert one(internal_error.check(on(INTERNAL))).evidence["kind"] == "trace"


def test_an_internal_error_is_shown_by_a_valid_call_where_there_is_one() -> None:
    bad = replace(INTERNAL, case=MISSING)
    assert one(internal_error.check(on(bad, INTERNAL))).location.parameter is None
    assert one(internal_error.check(on(bad))).location.parameter == "a"


@pytest.mark.parametrize(
    ("count", "words", "shown", "counted"),
    [
        (1, "a valid call with", 0, None),
        (2, "a valid call, on 2 tools alike, with", 2, None),
        (3, "a valid call, on 3 tools alike, with", 3, None),
        (20, "on 20 tools alike", 20, None),
        (21, "on 21 tools alike", 20, 21),
    ],
)
def test_tools_with_one_internal_error_are_named(
    count: int, words: str, shown: int, counted: int | None
) -> None:
    found = one(internal_error.check(*on_tools(count, INTERNAL)))
    assert words in found.message
    tools = found.evidence.get("tools", [])
    assert isinstance(tools, list)
    assert (len(tools), found.evidence.get("toolCount")) == (shown, counted)


def test_two_texts_at_one_place_are_one_cause() -> None:
    other = replace(INTERNAL, verdict=replace(INTERNAL.verdict, detail="error 1"))
    bad = replace(other, case=MISSING)
    assert one(internal_error.check(on(INTERNAL, bad, other))).evidence["cases"] == 3


@pytest.mark.parametrize(("count", "words"), [(1, "of 1 tool in words"), (2, "of 2 tools in words")])
def test_refusals_in_the_wrong_code(count: int, words: str) -> None:
    refused = Call(MISSING, Verdict(Outcome.REJECTED, "a is required", wrong_code=-32603))
    found = one(internal_error.check(*on_tools(count, refused)))
    assert words in found.message
    assert (found.kind, found.severity) == ("wrong-code", Severity.INFO)
    right = Call(MISSING, Verdict(Outcome.REJECTED, "a is required"))
    assert list(internal_error.check(on(right))) == []


@pytest.mark.parametrize(
    ("case", "coerced", "told"),
    [
        (MISSING, False, ("missing", Severity.WARNING, "A call without a, which")),
        (WRONG, False, ("wrong-type", Severity.WARNING, "where the schema wants integer, succeeds.")),
        (WRONG, True, ("coerced", Severity.INFO, "where the schema wants integer, is taken as one.")),
        (replace(MISSING, parameter=None), False, ("missing", Severity.WARNING, "without its arguments,")),
    ],
)
def test_accepted_calls(case: Case, coerced: bool, told: tuple[str, Severity, str]) -> None:
    call = Call(case, Verdict(Outcome.ACCEPTED_INVALID, "6", coerced=coerced))
    found = one(accepted_invalid.check(on(call)))
    assert (found.kind, found.severity) == told[:2]
    assert told[2] in found.message


@pytest.mark.parametrize(("size", "shown"), [(20_000_000, 20_000_000), (0, None)])
def test_the_size_of_an_answer_where_it_is_known(size: int, shown: int | None) -> None:
    call = Call(VALID, Verdict(Outcome.TOO_LARGE, "more output than the limit"), size=size)
    assert one(response_too_large.check(on(call))).evidence.get("bytes") == shown


@pytest.mark.parametrize(
    ("commands", "words", "shown"),
    [
        (("sleep 50",), "1 process that", ["sleep 50"]),
        (("sleep 50", "helper"), "2 processes that", ["helper", "sleep 50"]),
        (("sleep 50", "sleep 50"), "2 processes that", ["sleep 50 (×2)"]),
    ],
)
def test_processes_left_behind(commands: tuple[str, ...], words: str, shown: list[Json]) -> None:
    found = one(process_left_behind.check([Leftovers(commands)]))
    assert found.message.startswith(words)
    assert found.evidence == {"processes": shown, "count": len(commands)}
    assert list(process_left_behind.check([Leftovers(())])) == []
