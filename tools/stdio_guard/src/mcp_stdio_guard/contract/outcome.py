"""From facts and findings to checks, score, coverage and target: pure functions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.grade import percentage
from mcp_check_core.model.report import Coverage, Outcome, RuleResult, Score, Target
from mcp_stdio_guard.facts.run import RunFacts
from mcp_stdio_guard.registry import DECLARED
from mcp_stdio_guard.rules.declare import CheckName

CAP = 40.0
CAPPING = (CheckName.INITIALIZE, CheckName.STDOUT, CheckName.JSON_RPC)
"""Checks in which an error caps the score."""


class CheckStatus(StrEnum):
    """What became of a check."""

    PASS = "pass"  # noqa: S105 - a status, not a password
    FAIL = "fail"
    WARNING = "warning"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Judged:
    """Everything that a report is made from. `by_run` holds the findings of each run, repeats included."""

    runs: tuple[RunFacts, ...]
    by_run: Mapping[int, tuple[Finding, ...]]
    findings: tuple[Finding, ...]
    result: Callable[[str], RuleResult | None]

    @property
    def initialized(self) -> bool:
        """Whether every run made the handshake."""
        return bool(self.runs) and all(run.initialized for run in self.runs)

    @property
    def first(self) -> RunFacts | None:
        """The first run that made the handshake, else the first."""
        return next((run for run in self.runs if run.initialized), self.runs[0] if self.runs else None)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The status of one check, and the codes of its findings, worst first."""

    status: CheckStatus
    codes: tuple[str, ...]


def code_of(finding: Finding) -> str:
    """Give the issue code of a finding."""
    return finding.rule_id.partition("/")[2]


def check_results(judged: Judged) -> dict[CheckName, CheckResult]:
    """Say what became of each check: its worst finding, else whether any of its rules answered."""
    return {name: _check_result(judged, name) for name in CheckName}


def _check_result(judged: Judged, name: CheckName) -> CheckResult:
    rules = {declared.rule.id for declared in DECLARED if name in declared.checks}
    found = [finding for finding in judged.findings if finding.rule_id in rules]
    codes = tuple(dict.fromkeys(code_of(finding) for finding in found))
    severities = {finding.severity for finding in found}
    if Severity.ERROR in severities:
        return CheckResult(CheckStatus.FAIL, codes)
    if Severity.WARNING in severities:
        return CheckResult(CheckStatus.WARNING, codes)
    results = [judged.result(rule) for rule in rules]
    answered = any(result and result.outcome in (Outcome.PASS, Outcome.FAIL) for result in results)
    return CheckResult(CheckStatus.PASS if answered else CheckStatus.SKIPPED, codes)


def score(judged: Judged) -> Score | None:
    """Count the checks that ran: a pass whole, a warning half; an error in a capping check caps it."""
    checks = {
        name: check
        for name, check in check_results(judged).items()
        if check.status is not CheckStatus.SKIPPED
    }
    if not checks:
        return None
    statuses = [check.status for check in checks.values()]
    passed, warned = statuses.count(CheckStatus.PASS), statuses.count(CheckStatus.WARNING)
    value = percentage(passed + warned / 2, len(statuses))
    basis = f"{passed} of {len(statuses)} checks that ran passed"
    if warned:
        basis += f", {warned} with warnings counted half"
    broken = [name.value for name in CAPPING if name in checks and checks[name].status is CheckStatus.FAIL]
    if broken and value > CAP:
        value = CAP
        basis += f"; an error in {' and '.join(broken)} caps the score at {CAP:g}"
    return Score(value, f"{basis}.")


def coverage(judged: Judged) -> Coverage:
    """Say how many tools were listed and judged, how many runs and lines there were."""
    run = judged.first
    total = len(run.tools) if run is not None else 0
    return Coverage(
        tools_total=total,
        tools_checked=total,
        counts={
            "runs": len(judged.runs),
            "runsInitialized": sum(one.initialized for one in judged.runs),
            "stdoutLines": sum(one.wire.received for one in judged.runs),
            "listsRead": sum(listing.complete for one in judged.runs for listing in one.lists),
            "listsAsked": sum(len(one.lists) for one in judged.runs),
        },
    )


def target_of(described: Target, judged: Judged) -> Target:
    """Add what the server called itself, where it was heard."""
    run = judged.first
    if run is None or run.handshake is None:
        return described
    return replace(described, server=run.handshake.server)
