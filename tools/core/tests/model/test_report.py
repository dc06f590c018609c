from dataclasses import replace
from datetime import UTC, datetime

import pytest

from mcp_check_core.model.finding import Category, Severity
from mcp_check_core.model.grade import grade, percentage
from mcp_check_core.model.report import (
    ErrorKind,
    Outcome,
    Report,
    RuleResult,
    RunError,
    Score,
    Status,
    Suppressed,
    Target,
    TargetKind,
    Timings,
)
from mcp_check_core.model.rule import Rule

RULE = Rule("fuzz/crash", "The server dies", Severity.ERROR, Category.RELIABILITY)
CLEAN = Report(
    tool="mcp-fuzz",
    tool_version="2.0.0",
    core_version="2.0.0",
    target=Target(TargetKind.STDIO),
    rules=(RuleResult("fuzz/crash", Outcome.PASS),),
    findings=(),
    timings=Timings(datetime(2026, 11, 30, tzinfo=UTC), 1.0),
)
FINDINGS = {severity: RULE.finding("m", severity=severity, key=severity) for severity in Severity}


@pytest.mark.parametrize(
    ("severities", "status", "ok"),
    [
        ((), Status.PASS, True),
        ((Severity.INFO,), Status.PASS, True),
        ((Severity.INFO, Severity.WARNING), Status.WARNING, True),
        ((Severity.WARNING, Severity.ERROR), Status.FAIL, False),
    ],
)
def test_the_worst_finding_makes_the_status(
    severities: tuple[Severity, ...], status: Status, ok: bool
) -> None:
    report = replace(CLEAN, findings=tuple(FINDINGS[severity] for severity in severities))
    assert (report.status, report.ok) == (status, ok)


@pytest.mark.parametrize("outcome", [Outcome.NOT_RUN, Outcome.ERROR])
@pytest.mark.parametrize("severities", [(), (Severity.WARNING,), (Severity.ERROR,)])
def test_a_rule_without_an_answer_makes_a_run_incomplete_whatever_was_found(
    outcome: Outcome, severities: tuple[Severity, ...]
) -> None:
    rules = (*CLEAN.rules, RuleResult("fuzz/hang", outcome, "why"))
    report = replace(CLEAN, rules=rules, findings=tuple(FINDINGS[severity] for severity in severities))
    assert (report.status, report.ok) == (Status.INCOMPLETE, False)


def test_an_error_makes_a_run_incomplete() -> None:
    report = replace(CLEAN, errors=(RunError(ErrorKind.INTERNAL, "m"),), findings=(FINDINGS[Severity.ERROR],))
    assert report.status is Status.INCOMPLETE


def test_what_does_not_apply_or_is_held_back_counts_for_nothing() -> None:
    rules = (*CLEAN.rules, RuleResult("fuzz/hang", Outcome.NOT_APPLICABLE, "why"))
    report = replace(CLEAN, rules=rules, suppressed=(Suppressed(FINDINGS[Severity.ERROR], "known"),))
    assert report.status is Status.PASS


@pytest.mark.parametrize(
    ("value", "letter"),
    [
        (100, "A"),
        (90, "A"),
        (89.9, "B"),
        (80, "B"),
        (79.9, "C"),
        (70, "C"),
        (69.9, "D"),
        (60, "D"),
        (59.9, "F"),
        (0, "F"),
    ],
)
def test_the_grade_table(value: float, letter: str) -> None:
    assert grade(value) == Score(value, "b").grade == letter


@pytest.mark.parametrize(
    ("part", "whole", "value"),
    [(0, 3, 0.0), (1, 3, 33.3), (2, 3, 66.7), (3, 3, 100.0), (99_999, 100_000, 99.9)],
)
def test_a_share_is_never_rounded_up_to_all(part: int, whole: int, value: float) -> None:
    assert percentage(part, whole) == value


def test_there_is_no_share_of_nothing() -> None:
    with pytest.raises(ZeroDivisionError):
        percentage(0, 0)
