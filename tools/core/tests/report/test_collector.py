from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_check_core._version import __version__
from mcp_check_core.model.finding import Severity
from mcp_check_core.model.report import (
    ErrorKind,
    LimitHit,
    Outcome,
    Report,
    RuleResult,
    RunError,
    Status,
)
from mcp_check_core.report.collector import FINDINGS_PER_RULE, Collector
from mcp_check_core.report.journal import Journal
from mcp_check_core.report.redact import Redactor
from tools.core.tests.report.builders import CRASH, HANG, RULES, SCORE, STYLE, TARGET, collector, finished


def outcome(report: Report, rule: str) -> RuleResult:
    return next(result for result in report.rules if result.rule == rule)


def answered_all(run: Collector) -> Collector:
    for rule in RULES:
        run.answered(rule.id)
    return run


def test_a_clean_run_passes_and_keeps_its_score() -> None:
    report = finished(answered_all(collector()))
    assert report.status is Status.PASS
    assert report.score == SCORE
    assert report.core_version == __version__
    assert [result.rule for result in report.rules] == [rule.id for rule in RULES]


def test_an_equal_finding_is_kept_once_and_the_first_stays() -> None:
    run = collector()
    run.found(CRASH.finding("first", key="a"))
    run.found(CRASH.finding("second", key="a"))
    run.found(CRASH.finding("other", key="b"))
    assert sorted(finding.message for finding in run.findings) == ["first", "other"]


def test_an_equal_finding_that_is_worse_takes_the_place() -> None:
    run = collector()
    for severity in (Severity.WARNING, Severity.ERROR, Severity.INFO):
        run.found(CRASH.finding(severity.value, severity=severity))
    assert [finding.message for finding in run.findings] == ["error"]


def test_a_rule_that_was_not_announced_is_refused() -> None:
    run = collector(rules=(HANG,))
    with pytest.raises(ValueError, match="fuzz/crash is not among the rules that mcp-fuzz announced"):
        run.found(CRASH.finding("m"))
    for answer in (run.not_run, run.not_applicable, run.could_not_tell):
        with pytest.raises(ValueError, match="fuzz/crash"):
            answer("fuzz/crash", "r")
    with pytest.raises(ValueError, match="fuzz/crash"):
        run.answered("fuzz/crash")


def test_a_finding_after_the_answer_still_fails_the_rule() -> None:
    run = answered_all(collector())
    run.found(CRASH.finding("m"))
    assert outcome(finished(run), CRASH.id) == RuleResult(CRASH.id, Outcome.FAIL, findings=1)


def test_a_rule_that_never_answered_is_not_run_and_takes_the_score() -> None:
    run = collector()
    run.answered(CRASH.id)
    run.answered(HANG.id)
    report = finished(run)
    assert outcome(report, STYLE.id).outcome is Outcome.NOT_RUN
    assert outcome(report, STYLE.id).reason
    assert report.status is Status.INCOMPLETE
    assert report.score is None


def test_a_rule_with_findings_and_no_answer_fails_and_says_that_it_was_cut_short() -> None:
    run = collector()
    run.found(CRASH.finding("m"))
    result = outcome(finished(run), CRASH.id)
    assert (result.outcome, result.findings) == (Outcome.FAIL, 1)
    assert result.reason == "the run ended before this rule had looked at everything"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("not_applicable", Outcome.NOT_APPLICABLE),
        ("not_run", Outcome.NOT_RUN),
        ("could_not_tell", Outcome.ERROR),
    ],
)
def test_an_answer_with_a_reason_keeps_it(answer: str, expected: Outcome) -> None:
    run = collector()
    getattr(run, answer)(CRASH.id, "because")
    assert outcome(finished(run), CRASH.id) == RuleResult(CRASH.id, expected, "because")


def test_the_worst_of_several_answers_stays_with_its_reason_and_the_last_counts() -> None:
    run = collector()
    run.could_not_tell(CRASH.id, "no idea of add")
    run.answered(CRASH.id, judged=1, of=2)
    run.not_applicable(CRASH.id, "nothing to do")
    assert outcome(finished(run), CRASH.id) == RuleResult(
        CRASH.id, Outcome.ERROR, "no idea of add", judged=1, of=2
    )


def test_a_failed_rule_keeps_the_reason_why_it_could_not_judge_the_rest() -> None:
    run = collector()
    run.found(CRASH.finding("m"))
    run.could_not_tell(CRASH.id, "no idea of add")
    assert outcome(finished(run), CRASH.id) == RuleResult(
        CRASH.id, Outcome.FAIL, "no idea of add", findings=1
    )


def test_findings_past_the_bound_are_counted() -> None:
    run = answered_all(collector())
    for number in range(FINDINGS_PER_RULE + 3):
        run.found(CRASH.finding("m", key=str(number)))
    report = finished(run)
    assert len(report.findings) == outcome(report, CRASH.id).findings == FINDINGS_PER_RULE
    assert report.limits_hit == (
        LimitHit(
            "findings-per-rule", FINDINGS_PER_RULE, "fuzz/crash: 3 more, repeats included, are not shown"
        ),
    )


def test_a_flood_of_mild_findings_never_hides_a_bad_one() -> None:
    run = answered_all(collector())
    for number in range(FINDINGS_PER_RULE):
        run.found(CRASH.finding("mild", key=str(number), severity=Severity.INFO))
    run.found(CRASH.finding("bad", key="bad", severity=Severity.ERROR))
    run.found(CRASH.finding("so-so", key="so-so", severity=Severity.WARNING))
    run.found(CRASH.finding("mild again", key="x", severity=Severity.INFO))
    report = finished(run)
    assert report.status is Status.FAIL
    assert [finding.message for finding in report.findings[:3]] == ["bad", "so-so", "mild"]
    assert len(report.findings) == FINDINGS_PER_RULE
    assert "3 more" in report.limits_hit[0].where


def test_limits_and_errors_are_noted_once() -> None:
    run = answered_all(collector())
    for _ in range(2):
        run.limit(LimitHit("tools", 10_000, "tools/list"))
        run.error(RunError(ErrorKind.LIMIT, "The run took too long."))
    run.limit(LimitHit("tools", 10_000, "elsewhere"))
    report = finished(run)
    assert [hit.where for hit in report.limits_hit] == ["tools/list", "elsewhere"]
    assert report.errors == (RunError(ErrorKind.LIMIT, "The run took too long."),)
    assert report.score is None


def test_an_interrupted_run_says_so_and_may_go_on() -> None:
    run = answered_all(collector())
    partial = finished(run, interrupted="The run was stopped by SIGTERM.")
    assert partial.errors == (RunError(ErrorKind.INTERRUPTED, "The run was stopped by SIGTERM."),)
    assert partial.status is Status.INCOMPLETE
    assert partial.score is None
    assert finished(run).status is Status.PASS


def test_phases_of_one_name_add_up_also_when_they_fail() -> None:
    run = answered_all(collector())
    with run.phase("calls"):
        pass
    with pytest.raises(KeyError), run.phase("calls"):
        raise KeyError("x")
    with run.phase("shutdown"):
        pass
    timings = finished(run).timings
    assert list(timings.phases) == ["calls", "shutdown"]
    assert 0 <= sum(timings.phases.values()) <= timings.duration_ms


def test_a_secret_is_gone_from_everything_and_does_not_make_the_fingerprint() -> None:
    reports = []
    for secret in ("hunter2-hunter2", "correct-horse-battery"):
        run = answered_all(collector(redactor=Redactor({"API_TOKEN": secret})))
        run.found(CRASH.finding(f"said {secret}", evidence={secret: [secret]}, key=secret, hint=secret))
        run.could_not_tell(HANG.id, secret)
        run.limit(LimitHit("line", secret, secret))
        run.error(RunError(ErrorKind.INTERNAL, secret))
        report = finished(run, details={"banner": secret}, extra={secret: secret})
        assert secret not in repr(report)
        assert "[redacted:API_TOKEN]" in report.findings[0].message
        reports.append(report)
    assert reports[0].findings == reports[1].findings


def test_a_journal_that_cannot_be_written_is_said_and_the_run_goes_on(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.jsonl")
    journal.close()
    run = answered_all(collector(journal=journal))
    run.found(CRASH.finding("m"))
    report = finished(run)
    assert [error.kind for error in report.errors] == [ErrorKind.INTERNAL]
    assert "journal" in report.errors[0].message
    assert len(report.findings) == 1


def test_the_target_known_at_the_end_replaces_the_first() -> None:
    report = finished(collector(), target=None)
    assert report.target == TARGET


steps = st.lists(
    st.tuples(
        st.sampled_from(["found", "answered", "not_run", "not_applicable", "could_not_tell"]),
        st.sampled_from(RULES),
    )
)


def played(moves: list[tuple[str, object]]) -> Report:
    run = collector()
    for name, rule in moves:
        match name:
            case "found":
                run.found(rule.finding("m"))  # type: ignore[attr-defined]
            case "answered":
                run.answered(rule.id)  # type: ignore[attr-defined]
            case _:
                getattr(run, name)(rule.id, "why")  # type: ignore[attr-defined]
    return finished(run)


@given(steps)
def test_every_rule_has_one_outcome_and_every_open_one_a_reason(moves: list[tuple[str, object]]) -> None:
    report = played(moves)
    assert [result.rule for result in report.rules] == [rule.id for rule in RULES]
    for result in report.rules:
        assert (result.outcome is Outcome.FAIL) == (result.findings > 0)
        if result.outcome not in (Outcome.PASS, Outcome.FAIL):
            assert result.reason
    assert (report.score is None) == (report.status is Status.INCOMPLETE)


@given(steps, st.data())
def test_an_answer_that_is_lost_never_helps(moves: list[tuple[str, object]], data: st.DataObject) -> None:
    order = [Status.PASS, Status.WARNING, Status.FAIL, Status.INCOMPLETE]
    rule = data.draw(st.sampled_from(RULES))
    lost = [move for move in moves if move[1] is not rule]
    passed = [*lost, ("answered", rule)]
    assert order.index(played(lost).status) >= order.index(played(passed).status)


def test_a_finding_past_the_bound_costs_no_look_at_those_that_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = collector()
    for number in range(FINDINGS_PER_RULE):
        made.found(CRASH.finding("m", key=str(number), severity=Severity.WARNING))
    looks: list[Severity] = []
    rank = Severity.rank.fget  # type: ignore[attr-defined]

    def counted(severity: Severity) -> int:
        looks.append(severity)
        return int(rank(severity))

    monkeypatch.setattr(Severity, "rank", property(counted))
    for number in range(50):
        made.found(CRASH.finding("m", key=f"further {number}", severity=Severity.INFO))
    assert len(looks) <= 10 * 50
