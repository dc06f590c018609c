from datetime import date
from typing import Any

import pytest

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.report import Status
from mcp_check_core.report.baseline import Baseline, baseline_document, read_baseline
from mcp_check_core.report.json_format import dump_document
from mcp_check_core.report.policy import Policy
from mcp_check_core.report.suppressions import Suppression
from mcp_trust_check.confidence import Level
from mcp_trust_check.decision import Decision
from mcp_trust_check.judgement import judge
from mcp_trust_check.policy import account, hold_back
from mcp_trust_check.tool_state import State, ToolState
from orchestrator.tests.made import finding, merged, report, state, states

CRASH, DIED = finding("fuzz/crash", "add"), finding("guard/server-crashed", "add")
ENTRY = Suppression(1, "Known, and being mended.", rule="fuzz/crash")
AWAY = finding("core/no-connection")


def policy(*entries: Suppression, accepted: tuple[Finding, ...] = ()) -> Policy:
    baseline = read_baseline(dump_document(baseline_document(accepted))) if accepted else Baseline({})
    return Policy(date(2026, 12, 1), entries, baseline)


def held(known: list[ToolState], by: Policy) -> list[ToolState]:
    return [hold_back(one, by) for one in known]


def test_what_is_held_back_fires_nothing_and_stays_in_the_report() -> None:
    known = held(states(fuzz=state("fuzz", report("fuzz", [CRASH]))), policy(ENTRY))
    judgement = judge(known)
    document: dict[str, Any] = merged(known)

    assert judgement.decision is Decision.SHIP
    assert judgement.findings == ()
    (found,) = document["tools"]["fuzz"]["document"]["findings"]
    assert document["suppressed"] == [{**found, "reason": ENTRY.reason, "tool": "fuzz"}]


def test_a_fault_that_another_tool_sees_still_fires() -> None:
    both = states(guard=state("guard", report("guard", [DIED])), fuzz=state("fuzz", report("fuzz", [CRASH])))
    judgement = judge(held(both, policy(ENTRY)))

    assert judgement.decision is Decision.BLOCK
    assert [fault.finding.rule_id for fault in judgement.findings] == ["guard/server-crashed"]


def test_a_baseline_of_a_run_holds_all_of_it_back() -> None:
    both = states(guard=state("guard", report("guard", [DIED])), fuzz=state("fuzz", report("fuzz", [CRASH])))
    accepted = policy().to_accept(account(merged(both), both))
    assert {one.fingerprint for one in accepted} == {CRASH.fingerprint, DIED.fingerprint}

    again = held(both, policy(accepted=accepted))
    assert judge(again).findings == ()
    counted = account(merged(again), again)
    assert {one.finding.fingerprint for one in counted.suppressed} == {CRASH.fingerprint, DIED.fingerprint}
    assert policy(accepted=accepted).notices(counted) == ()


def test_an_entry_that_matched_nothing_is_told_where_its_rule_answered() -> None:
    known = held(states(), policy(ENTRY))
    (notice,) = policy(ENTRY).notices(account(merged(known), known))
    assert notice.certain
    assert "fuzz/crash" in notice.text

    unknown = held(states(fuzz=state("fuzz", b"")), policy(ENTRY))
    counted = account(merged(unknown), unknown)
    assert policy(ENTRY).notices(counted) == ()
    assert counted.status is Status.INCOMPLETE


def test_a_tool_without_a_session_that_may_not_say_so_did_not_answer() -> None:
    silent = Suppression(1, "It wants a token.", rule="core/no-connection")
    away = states(fuzz=state("fuzz", report("fuzz", [AWAY], score=None, checked=0, total=0)))
    judgement = judge(held(away, policy(silent)))
    fuzz = next(one for one in judgement.states if one.short == "fuzz")

    assert judge(away).decision is Decision.BLOCK
    assert judgement.decision is Decision.FIX_FIRST
    assert judgement.confidence.level is Level.LOW
    assert fuzz.state is State.INCOMPLETE
    assert "core/no-connection, which says so, is held back" in str(fuzz.reason)


@pytest.mark.parametrize("entry", [None, ENTRY])
def test_what_a_tool_held_back_itself_is_counted_too(entry: Suppression | None) -> None:
    known = states(fuzz=state("fuzz", report("fuzz", suppressed=[CRASH])))
    by = policy(*([entry] if entry else []))
    document: dict[str, Any] = merged(held(known, by))
    assert [one["reason"] for one in document["suppressed"]] == ["accepted"]
    assert len(account(document, held(known, by)).suppressed) == 1
