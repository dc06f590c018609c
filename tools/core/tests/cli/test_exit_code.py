from datetime import UTC, datetime

import pytest

from mcp_check_core.cli.exit_code import ExitCode, FailOn, Gate, exit_code
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.report import (
    ErrorKind,
    Outcome,
    Report,
    RuleResult,
    RunError,
    Score,
    Target,
    TargetKind,
    Timings,
)


def report(*severities: Severity, score: float | None = 85.0, complete: bool = True) -> Report:
    return Report(
        tool="toy",
        tool_version="1",
        core_version="2",
        target=Target(TargetKind.STDIO),
        rules=(RuleResult("toy/r", Outcome.FAIL if severities else Outcome.PASS),),
        findings=tuple(Finding("toy/r", severity, Category.SECURITY, "m") for severity in severities),
        timings=Timings(datetime(2026, 1, 1, tzinfo=UTC), 1.0),
        score=None if score is None else Score(score, "b"),
        errors=() if complete else (RunError(ErrorKind.LIMIT, "m"),),
    )


E, W, I = Severity.ERROR, Severity.WARNING, Severity.INFO  # noqa: E741 - a table reads better so


@pytest.mark.parametrize(
    ("made", "gate", "code"),
    [
        (report(), Gate(), 0),
        (report(E), Gate(), 0),
        (report(E), Gate(FailOn.ERROR), 1),
        (report(W, I), Gate(FailOn.ERROR), 0),
        (report(W), Gate(FailOn.WARNING), 1),
        (report(I), Gate(FailOn.WARNING), 0),
        (report(I), Gate(FailOn.INFO), 1),
        (report(E, W, I), Gate(FailOn.NEVER), 0),
        (report(), Gate(fail_under=85.0), 0),
        (report(), Gate(fail_under=85.1), 1),
        (report(score=None), Gate(fail_under=0.1), 1),
        (report(score=None), Gate(), 0),
        (report(complete=False), Gate(), 2),
        (report(E, complete=False), Gate(), 2),
        (report(E, complete=False), Gate(FailOn.ERROR), 1),
        (report(score=None, complete=False), Gate(fail_under=1), 1),
    ],
)
def test_the_exit_code_says_whether_the_gate_holds(made: Report, gate: Gate, code: int) -> None:
    assert exit_code(made, gate, interrupted=False) == code
    assert exit_code(made, gate, interrupted=True) is ExitCode.INTERRUPTED


def test_a_broken_gate_says_why() -> None:
    assert Gate(FailOn.WARNING).broken_by(report(E, W, I)) == "2 findings at or above warning"
    assert Gate(FailOn.ERROR).broken_by(report(E)) == "1 finding at or above error"
    assert Gate(fail_under=90).broken_by(report()) == "the score 85 is under 90"
    assert (
        Gate(fail_under=90).broken_by(report(score=None)) == "there is no score, and --fail-under asks for 90"
    )
    assert Gate(FailOn.ERROR, 80.0).broken_by(report(W)) is None
