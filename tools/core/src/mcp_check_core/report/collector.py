"""Gathers what a run finds and answers, and makes the finished report of it.

It holds the promises that every tool makes alike: no finding twice, no rule without an outcome, no score of
an incomplete run, no secret in what is kept.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

from mcp_check_core._version import __version__
from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import (
    Coverage,
    ErrorKind,
    LimitHit,
    Outcome,
    Report,
    RuleResult,
    RunError,
    Score,
    Status,
    Suppressed,
    Target,
    Timings,
)
from mcp_check_core.model.rule import Rule
from mcp_check_core.report.document import in_order
from mcp_check_core.report.journal import Journal
from mcp_check_core.report.redact import Redactor
from mcp_check_core.report.redacted_report import redacted_finding, redacted_report

FINDINGS_PER_RULE = 200
"""Findings of one rule that a report holds; more are counted under `limitsHit`."""

_NEVER_ANSWERED = "the run ended before this rule was looked at"
_CUT_SHORT = "the run ended before this rule had looked at everything"
_WORST_FIRST = (Outcome.FAIL, Outcome.ERROR, Outcome.NOT_RUN, Outcome.PASS, Outcome.NOT_APPLICABLE)


class _RuleFindings:
    """The findings of one rule: the first ones, but a worse one takes the place of the mildest."""

    def __init__(self) -> None:
        self._by_fingerprint: dict[str, Finding] = {}
        self._by_severity: dict[Severity, dict[str, None]] = {severity: {} for severity in Severity}
        self.left_out = 0

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(self._by_fingerprint.values())

    def add(self, finding: Finding) -> bool:
        """Keep a finding and tell so, or tell that it is known, as bad or worse, or has no room."""
        known = self._by_fingerprint.get(finding.fingerprint)
        if known is not None:
            return self._made_worse(known, finding)
        if len(self._by_fingerprint) >= FINDINGS_PER_RULE and not self._made_room(finding):
            return False
        self._keep(finding)
        return True

    def _keep(self, finding: Finding) -> None:
        self._by_fingerprint[finding.fingerprint] = finding
        self._by_severity[finding.severity][finding.fingerprint] = None

    def _made_worse(self, known: Finding, finding: Finding) -> bool:
        if known.severity.rank <= finding.severity.rank:
            return False
        del self._by_severity[known.severity][known.fingerprint]
        self._keep(finding)
        return True

    def _made_room(self, finding: Finding) -> bool:
        """Drop the latest of the mildest findings, if it is milder than this one."""
        self.left_out += 1
        mildest = max((one for one, kept in self._by_severity.items() if kept), key=lambda one: one.rank)
        if mildest.rank <= finding.severity.rank:
            return False
        dropped, _ = self._by_severity[mildest].popitem()
        del self._by_fingerprint[dropped]
        return True


def _merged(before: RuleResult, after: RuleResult) -> RuleResult:
    """Join two answers of one rule: the worse outcome with its reason, the later counts."""
    worse = min((before, after), key=lambda answer: _WORST_FIRST.index(answer.outcome))
    return replace(
        worse,
        judged=before.judged if after.judged is None else after.judged,
        of=before.of if after.of is None else after.of,
    )


class Collector:
    """What one run of one tool has seen so far.

    A finding is redacted before it is looked at further, so that its fingerprint does not depend on a secret.
    `hold` says why a finding is held back, None if it is not: such a one counts for nothing, but is reported.
    """

    def __init__(
        self,
        *,
        tool: str,
        version: str,
        rules: Sequence[Rule],
        target: Target,
        journal: Journal | None = None,
        redactor: Redactor | None = None,
        hold: Callable[[Finding], str | None] | None = None,
    ) -> None:
        self._hold = hold
        self._held = {rule.id: _RuleFindings() for rule in rules}
        self._tool = tool
        self._version = version
        self._target = target
        self._redactor = redactor or Redactor({})
        self._kept = {rule.id: _RuleFindings() for rule in rules}
        self._answers: dict[str, RuleResult] = {}
        self._limits: list[LimitHit] = []
        self._errors: list[RunError] = []
        self._phases: dict[str, float] = {}
        self._started_at = datetime.now(UTC)
        self._started = time.monotonic()
        self._journal = journal
        if journal is not None:
            self._write(lambda to: to.started(tool, version, list(self._kept)))

    def found(self, finding: Finding) -> bool:
        """Keep a finding, unless one with its fingerprint is kept already that is no milder.

        Tells whether it counts, which one that is held back does not. Raises ValueError if its rule was not
        announced.
        """
        safe = redacted_finding(finding, self._redactor)
        kept = self._of(safe.rule_id)
        if self._hold is not None and self._hold(safe) is not None:
            self._held[safe.rule_id].add(safe)
            return False
        if kept.add(safe):
            self._write(lambda to: to.finding(safe))
        return True

    def answered(self, rule: str, *, judged: int | None = None, of: int | None = None) -> None:
        """Say that a rule has looked at all it could: it failed if it has findings, also later ones.

        `judged` of `of` tools were looked at. A rule may answer several times; the worst outcome stays.
        """
        self._answer(RuleResult(rule, Outcome.PASS, judged=judged, of=of))

    def not_applicable(self, rule: str, reason: str) -> None:
        """Say that there is nothing here for a rule to judge, or that the user left it out."""
        self._answer(RuleResult(rule, Outcome.NOT_APPLICABLE, reason))

    def not_run(self, rule: str, reason: str) -> None:
        """Say that a rule was meant to look and did not."""
        self._answer(RuleResult(rule, Outcome.NOT_RUN, reason))

    def could_not_tell(self, rule: str, reason: str) -> None:
        """Say that a rule looked and could not judge."""
        self._answer(RuleResult(rule, Outcome.ERROR, reason))

    def limit(self, hit: LimitHit) -> None:
        """Note that a bound was reached, once for each place."""
        if hit not in self._limits:
            self._limits.append(hit)

    def error(self, error: RunError) -> None:
        """Note why the run is incomplete, once."""
        if error not in self._errors:
            self._errors.append(error)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Count the time of a block under a name; several blocks of one name add up."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._phases[name] = self._phases.get(name, 0.0) + 1000 * (time.monotonic() - began)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings kept so far, in the order of the report."""
        return tuple(in_order(finding for kept in self._kept.values() for finding in kept.findings))

    def result(self, rule: str) -> RuleResult | None:
        """Say what became of a rule so far, None while it has no finding and no answer.

        Raises ValueError if the rule was not announced.
        """
        count = len(self._of(rule).findings)
        answer = self._answers.get(rule)
        if count:
            known = answer or RuleResult(rule, Outcome.FAIL, _CUT_SHORT)
            return replace(known, outcome=Outcome.FAIL, findings=count)
        return answer

    def finish(
        self,
        *,
        score: Score | None,
        coverage: Coverage,
        details: Mapping[str, Json],
        extra: Mapping[str, Json] | None = None,
        target: Target | None = None,
        interrupted: str | None = None,
    ) -> Report:
        """Make the report of what is known now; may be called early and again.

        `target` replaces the one known at the start. `interrupted` says why the run ended early. Rules that
        have not answered are `not_run`; the score of an incomplete run is left out.
        """
        cut = [RunError(ErrorKind.INTERRUPTED, interrupted)] if interrupted is not None else []
        report = Report(
            tool=self._tool,
            tool_version=self._version,
            core_version=__version__,
            target=target or self._target,
            rules=tuple(
                self.result(rule) or RuleResult(rule, Outcome.NOT_RUN, _NEVER_ANSWERED) for rule in self._kept
            ),
            findings=self.findings,
            timings=self._timings(),
            score=score,
            coverage=coverage,
            suppressed=tuple(self._suppressed()),
            limits_hit=(*self._limits, *self._overflows()),
            errors=(*self._errors, *cut),
            details=details,
            extra=extra or {},
        )
        safe = redacted_report(report, self._redactor)
        return replace(safe, score=None) if safe.status is Status.INCOMPLETE else safe

    def _suppressed(self) -> Iterator[Suppressed]:
        for kept in self._held.values():
            for finding in kept.findings:
                yield Suppressed(finding, (self._hold and self._hold(finding)) or "")

    def _of(self, rule: str) -> _RuleFindings:
        if rule not in self._kept:
            raise ValueError(f"{rule} is not among the rules that {self._tool} announced")
        return self._kept[rule]

    def _answer(self, answer: RuleResult) -> None:
        self._of(answer.rule)
        before = self._answers.get(answer.rule)
        merged = answer if before is None else _merged(before, answer)
        self._answers[answer.rule] = merged
        result = self.result(answer.rule) or merged
        safe = replace(result, reason=result.reason and self._redactor.text(result.reason))
        self._write(lambda to: to.answer(safe))

    def _write(self, line: Callable[[Journal], None]) -> None:
        """Write to the journal; a journal that fails is said once and left, the run goes on."""
        if self._journal is None:
            return
        try:
            line(self._journal)
        except OSError as error:
            self._journal = None
            self.error(
                RunError(ErrorKind.INTERNAL, f"the journal could not be written: {error.strerror or error}")
            )

    def _timings(self) -> Timings:
        return Timings(self._started_at, 1000 * (time.monotonic() - self._started), dict(self._phases))

    def _overflows(self) -> Iterator[LimitHit]:
        for rule, kept in (*self._kept.items(), *self._held.items()):
            if kept.left_out:
                where = f"{rule}: {kept.left_out} more, repeats included, are not shown"
                yield LimitHit("findings-per-rule", FINDINGS_PER_RULE, where)
