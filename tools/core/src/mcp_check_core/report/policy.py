"""What is held back, by suppressions and a baseline, and what of these was of no use.

A tool gives `Policy.reason` to its collector, so that its score and its contract leave out what is held back
as well. `Policy.apply` does the same to a report that is finished, such as a merged one.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.report import Outcome, Report, RuleResult, Status, Suppressed
from mcp_check_core.report.baseline import IN_BASELINE, Baseline
from mcp_check_core.report.document import answered
from mcp_check_core.report.suppressions import Suppression


@dataclass(frozen=True, slots=True)
class Notice:
    """One sentence on an entry of no use. Not `certain`: the entry may be meant for another tool."""

    text: str
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Policy:
    """Suppressions and a baseline, as they hold on one day."""

    today: date
    suppressions: tuple[Suppression, ...] = ()
    baseline: Baseline = field(default_factory=lambda: Baseline({}))

    def reason(self, finding: Finding) -> str | None:
        """Say why a finding is held back, None if it is not; a suppression goes before the baseline."""
        for entry in self.suppressions:
            if not entry.expired(self.today) and entry.matches(finding):
                return entry.reason
        return IN_BASELINE if self.baseline.holds(finding) else None

    def apply(self, report: Report) -> Report:
        """Hold back findings of a finished report: its counts and outcomes follow, its score does not.

        A rule all of whose findings are held back passes, or has not answered where it was cut short.
        """
        reasons = [(finding, self.reason(finding)) for finding in report.findings]
        held = tuple(Suppressed(finding, reason) for finding, reason in reasons if reason is not None)
        if not held:
            return report
        counts = Counter(one.finding.rule_id for one in held)
        applied = replace(
            report,
            findings=tuple(finding for finding, reason in reasons if reason is None),
            suppressed=(*report.suppressed, *held),
            rules=tuple(_without(result, counts[result.rule]) for result in report.rules),
        )
        return replace(applied, score=None) if applied.status is Status.INCOMPLETE else applied

    def to_accept(self, report: Report) -> tuple[Finding, ...]:
        """List what a new baseline is to hold: the findings, and those that the old one holds back.

        What a suppression holds back does not enter: it would outlive the suppression.
        """
        kept = [
            held.finding
            for held in report.suppressed
            if self.baseline.holds(held.finding) and not self._suppression_of(held.finding)
        ]
        return (*report.findings, *kept)

    def notices(self, report: Report) -> tuple[Notice, ...]:
        """Say which suppressions have expired, and which entries matched nothing.

        Where a rule did not answer, an entry for it may yet match, and nothing is said.
        """
        return (*self._suppression_notices(report), *self._baseline_notices(report))

    def _suppression_of(self, finding: Finding) -> Suppression | None:
        holding = (entry for entry in self.suppressions if not entry.expired(self.today))
        return next((entry for entry in holding if entry.matches(finding)), None)

    def _suppression_notices(self, report: Report) -> Iterator[Notice]:
        told = answered(report.rules)
        everything = _everything(report)
        for entry in self.suppressions:
            name = f"suppress entry {entry.number} ({entry.subject})"
            if entry.expired(self.today):
                yield Notice(f"{name} expired on {entry.until} and holds nothing back any more")
            elif any(entry.matches(finding) for finding in everything):
                continue
            elif entry.rule is None:
                text = f"{name} matched no finding of {report.tool}; with its rule one could tell whose it is"
                yield Notice(text, certain=False)
            elif told.get(entry.rule, False):
                yield Notice(f"{name} matched no finding")

    def _baseline_notices(self, report: Report) -> Iterator[Notice]:
        told = answered(report.rules)
        prefixes = {rule.partition("/")[0] for rule in told}
        seen = {finding.fingerprint for finding in _everything(report)}
        for entry in sorted(self.baseline.entries.values()):
            if entry.fingerprint in seen:
                continue
            name = (
                f"baseline entry {entry.fingerprint} ({' of '.join(filter(None, (entry.rule, entry.tool)))})"
            )
            if told.get(entry.rule, False):
                yield Notice(f"{name} matched no finding")
            elif entry.rule not in told and entry.rule.partition("/")[0] in prefixes:
                yield Notice(f"{name} names a rule that there is not")


def _everything(report: Report) -> list[Finding]:
    return [*report.findings, *(held.finding for held in report.suppressed)]


def _without(result: RuleResult, held: int) -> RuleResult:
    left = result.findings - held
    if held == 0 or left > 0:
        return replace(result, findings=left)
    outcome = Outcome.PASS if result.reason is None else Outcome.NOT_RUN
    return replace(result, outcome=outcome, findings=0)
