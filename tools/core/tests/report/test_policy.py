from dataclasses import replace
from datetime import date

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_check_core.model.finding import Finding, Location, Severity
from mcp_check_core.model.report import Outcome, Report, Status
from mcp_check_core.report.baseline import IN_BASELINE, Baseline, baseline_document, read_baseline
from mcp_check_core.report.collector import FINDINGS_PER_RULE, Collector
from mcp_check_core.report.json_format import dump_document
from mcp_check_core.report.policy import Notice, Policy
from mcp_check_core.report.suppressions import Suppression
from tools.core.tests.report.builders import CRASH, HANG, RULES, STYLE, TARGET, finished, report_with
from tools.core.tests.report.generated import reports

TODAY = date(2026, 11, 30)
ADD = CRASH.finding("It died.", location=Location(tool="add"))
SUB = CRASH.finding("It died.", location=Location(tool="sub"))
SLOW = HANG.finding("It hangs.")


def accepting(*findings: Finding) -> Baseline:
    return read_baseline(dump_document(baseline_document(findings)))


def policy(*entries: Suppression, baseline: Baseline | None = None) -> Policy:
    return Policy(TODAY, entries, baseline or accepting())


def collected(judged: Policy, *findings: Finding) -> Report:
    """The report of a run that knows its policy from the start."""
    run = Collector(tool="mcp-fuzz", version="2.0.0", rules=RULES, target=TARGET, hold=judged.reason)
    for finding in findings:
        run.found(finding)
    for rule in RULES:
        run.answered(rule.id)
    return finished(run)


def held(report: Report) -> list[tuple[str, str]]:
    return sorted((one.finding.fingerprint, one.reason) for one in report.suppressed)


SUPPRESS_ADD = Suppression(1, "known", "fuzz/crash", tool="add")


def test_what_is_held_back_counts_for_nothing_and_is_not_lost() -> None:
    for report in (
        policy(SUPPRESS_ADD).apply(report_with(ADD, SUB)),
        collected(policy(SUPPRESS_ADD), ADD, SUB),
    ):
        assert report.findings == (SUB,)
        assert held(report) == [(ADD.fingerprint, "known")]
        assert (report.rules[0].outcome, report.rules[0].findings) == (Outcome.FAIL, 1)
        assert report.status is Status.FAIL


def test_all_suppressed_is_pass() -> None:
    entry = Suppression(1, "known", "fuzz/crash")
    for report in (policy(entry).apply(report_with(ADD, SUB)), collected(policy(entry), ADD, SUB)):
        assert report.status is Status.PASS
        assert (report.rules[0].outcome, report.rules[0].findings) == (Outcome.PASS, 0)
        assert report.score is not None
        assert len(report.suppressed) == 2


def test_a_rule_that_was_cut_short_does_not_pass_by_suppression() -> None:
    run = Collector(tool="mcp-fuzz", version="2.0.0", rules=RULES, target=TARGET)
    run.found(ADD)
    run.answered(HANG.id)
    run.answered(STYLE.id)
    report = policy(SUPPRESS_ADD).apply(finished(run))
    assert report.rules[0].outcome is Outcome.NOT_RUN
    assert report.status is Status.INCOMPLETE
    assert report.score is None


def test_a_baseline_gates_only_what_is_new() -> None:
    worse = replace(ADD, message="Another text.", severity=Severity.WARNING)
    for report in (
        policy(baseline=accepting(ADD)).apply(report_with(worse, SUB)),
        collected(policy(baseline=accepting(ADD)), worse, SUB),
    ):
        assert report.findings == (SUB,)
        assert held(report) == [(ADD.fingerprint, IN_BASELINE)]


def test_a_suppression_goes_before_the_baseline() -> None:
    report = policy(SUPPRESS_ADD, baseline=accepting(ADD)).apply(report_with(ADD))
    assert held(report) == [(ADD.fingerprint, "known")]


def test_an_expired_suppression_holds_nothing_back() -> None:
    entry = replace(SUPPRESS_ADD, until=date(2026, 11, 29))
    judged = policy(entry)
    report = judged.apply(report_with(ADD))
    assert report.findings == (ADD,)
    assert judged.notices(report) == (
        Notice("suppress entry 1 (fuzz/crash add) expired on 2026-11-29 and holds nothing back any more"),
    )
    assert policy(replace(entry, until=TODAY)).apply(report_with(ADD)).findings == ()


def test_a_new_baseline_holds_no_suppressed_finding_and_keeps_what_the_old_one_holds() -> None:
    entry = Suppression(1, "known", "fuzz/crash", tool="sub")
    judged = policy(entry, baseline=accepting(ADD, SUB))
    report = judged.apply(report_with(ADD, SUB, SLOW))
    assert {finding.fingerprint for finding in judged.to_accept(report)} == {
        ADD.fingerprint,
        SLOW.fingerprint,
    }


def test_what_is_written_accepts_all_and_nothing_else() -> None:
    report = report_with(ADD, SUB)
    again = policy(baseline=accepting(*policy().to_accept(report))).apply(report_with(ADD, SUB, SLOW))
    assert again.findings == (SLOW,)


def texts(judged: Policy, report: Report) -> list[str]:
    return [notice.text for notice in judged.notices(judged.apply(report))]


def test_entries_that_matched_nothing_are_told() -> None:
    judged = policy(Suppression(1, "r", "fuzz/hang"), SUPPRESS_ADD, baseline=accepting(SUB, SLOW))
    assert texts(judged, report_with(ADD, SUB)) == [
        "suppress entry 1 (fuzz/hang) matched no finding",
        f"baseline entry {SLOW.fingerprint} (fuzz/hang) matched no finding",
    ]
    assert texts(judged, report_with(ADD, SLOW)) == [
        f"baseline entry {SUB.fingerprint} (fuzz/crash of sub) matched no finding"
    ]


def test_an_entry_of_a_rule_that_did_not_answer_is_not_told() -> None:
    judged = policy(Suppression(1, "r", "fuzz/hang"), baseline=accepting(SLOW))
    run = Collector(tool="mcp-fuzz", version="2.0.0", rules=RULES, target=TARGET)
    run.answered(CRASH.id)
    run.could_not_tell(HANG.id, "no time")
    assert texts(judged, finished(run)) == []


def test_an_entry_of_a_rule_that_failed_but_was_cut_short_is_not_told() -> None:
    judged = policy(Suppression(1, "r", "fuzz/crash", tool="none"), baseline=accepting(SUB))
    run = Collector(tool="mcp-fuzz", version="2.0.0", rules=RULES, target=TARGET)
    run.found(ADD)
    assert texts(judged, finished(run)) == []


def test_a_baseline_may_hold_entries_of_other_tools() -> None:
    other = replace(ADD, rule_id="lint/S1")
    gone = replace(ADD, rule_id="fuzz/gone")
    assert texts(policy(baseline=accepting(other, gone)), report_with()) == [
        f"baseline entry {gone.fingerprint} (fuzz/gone of add) names a rule that there is not"
    ]


def test_a_fingerprint_alone_may_be_meant_for_another_tool() -> None:
    judged = policy(Suppression(3, "r", fingerprint="0123456789abcdef"))
    (notice,) = judged.notices(report_with())
    assert not notice.certain
    assert notice.text.startswith("suppress entry 3 (0123456789abcdef) matched no finding of mcp-fuzz;")


def test_what_is_held_back_is_bounded_too() -> None:
    made = [CRASH.finding("m", key=str(number)) for number in range(FINDINGS_PER_RULE + 5)]
    report = collected(policy(Suppression(1, "r", "fuzz/crash")), *made)
    assert len(report.suppressed) == FINDINGS_PER_RULE
    assert [hit.where for hit in report.limits_hit] == ["fuzz/crash: 5 more, repeats included, are not shown"]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(reports(), st.sampled_from([rule.id for rule in RULES]))
def test_nothing_is_dropped_and_ignorance_does_not_help(report: Report, rule: str) -> None:
    judged = policy(Suppression(1, "r", rule))
    applied = judged.apply(report)
    before = {one.fingerprint for one in report.findings} | {
        one.finding.fingerprint for one in report.suppressed
    }
    after = {one.fingerprint for one in applied.findings}
    after |= {one.finding.fingerprint for one in applied.suppressed}
    assert before == after
    assert all(finding.rule_id != rule for finding in applied.findings)
    assert sum(result.findings for result in applied.rules) == len(applied.findings)
    assert judged.apply(applied) == applied
    if report.status is Status.INCOMPLETE:
        assert applied.status is Status.INCOMPLETE
