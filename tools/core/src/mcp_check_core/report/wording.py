"""The words that every human format uses for a report.

What comes back may hold hostile text; the formats sanitise it.
"""

import json
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from mcp_check_core.model.bounds import cut_end, cut_text
from mcp_check_core.model.finding import Finding, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import LimitHit, Outcome, Report, RuleResult, Status, Target
from mcp_check_core.report.json_format import writable

NAMES_SHOWN = 10
"""Names in a list within a sentence."""
MESSAGE_BOUND = 600
"""Characters of a message, hint or reason that a human format shows."""
REPRODUCE_BOUND = 2000
"""Characters of a line that shows a finding again."""
EVIDENCE_BOUND = 240
"""Characters of one member of evidence that a human format shows; the JSON report has more."""
STDERR = "stderr"
"""Member of evidence that holds the end of what a server wrote to stderr."""
STDERR_BOUND = 480
STDERR_LINES = 8
"""Characters and lines of it that a human format shows."""
EVIDENCE_MEMBERS = 6
"""Members of evidence that a human format shows."""


def verdict(report: Report) -> str:
    """Say what became of the run in one word: PASS, WARNING, FAIL or INCOMPLETE."""
    return report.status.value.upper()


def program(report: Report) -> str:
    """Name the tool and its version."""
    return f"{report.tool} {report.tool_version}"


def target_text(target: Target) -> str:
    """Name what was checked: the command line, the URL or the folder."""
    if target.command:
        return cut_text(shlex.join(target.command))
    return cut_text(target.url or target.cwd or target.kind.value)


def server_text(target: Target) -> str:
    """Say how the server calls itself and which protocol it speaks; empty where that is not known."""
    server = target.server
    if server is None:
        return ""
    name = " ".join(part for part in (server.name, server.version) if part)
    protocol = f"protocol {server.protocol}" if server.protocol else ""
    return cut_text(", ".join(part for part in (name, protocol) if part))


def score_text(report: Report) -> str:
    """Give the score with its basis, or why there is none."""
    if report.score is not None:
        score = report.score
        return f"Score {score.value:.1f} ({score.grade}): {cut_text(score.basis)}"
    if report.status is Status.INCOMPLETE:
        return "No score: the run is incomplete."
    return "No score: there was nothing that may be judged."


def coverage_text(report: Report) -> str:
    """Say how many tools of the server were checked, and which were not and why."""
    coverage = report.coverage
    text = f"Tools checked: {coverage.tools_checked} of {coverage.tools_total}"
    skipped = [
        f"{cut_text(one.tool, 120)} ({cut_text(one.reason, 120)})" for one in coverage.skipped[:NAMES_SHOWN]
    ]
    return f"{text}; not checked: {some(skipped, len(coverage.skipped))}" if skipped else text


def rules_text(report: Report) -> str:
    """Count the outcomes of the rules."""
    counts = Counter(result.outcome for result in report.rules)
    words = (
        (Outcome.PASS, "passed"),
        (Outcome.FAIL, "failed"),
        (Outcome.ERROR, "could not tell"),
        (Outcome.NOT_RUN, "not run"),
        (Outcome.NOT_APPLICABLE, "not applicable"),
    )
    shown = [f"{counts[outcome]} {word}" for outcome, word in words if counts[outcome]]
    return f"Rules: {', '.join(shown) or 'none'}"


def findings_text(report: Report) -> str:
    """Count the findings by severity, or say what was looked for in vain."""
    counts = Counter(finding.severity for finding in report.findings)
    if counts:
        shown = [plural(counts[severity], severity.value) for severity in Severity if counts[severity]]
        return f"Findings: {', '.join(shown)}"
    answered = [result.rule for result in report.rules if result.outcome is Outcome.PASS]
    if not answered:
        return "No findings, but no rule could answer."
    return f"No findings. Looked for: {some(answered, len(answered))}."


def plural(count: int, word: str) -> str:
    """Count something: `1 error`, `2 errors`; `info` stays as it is."""
    return f"{count} {word}" if count == 1 or word == Severity.INFO else f"{count} {word}s"


def held_back_text(report: Report) -> str:
    """Say how many findings are held back, and why; empty where there are none."""
    held = report.suppressed
    if not held:
        return ""
    reasons = [f"{one.finding.rule_id} ({cut_text(one.reason, 120)})" for one in held[:NAMES_SHOWN]]
    return f"Held back: {len(held)}: {some(reasons, len(held))}"


def some(names: Sequence[str], total: int) -> str:
    """Join names, at most ten of them, and say how many more there are of the total."""
    more = total - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def place(location: Location) -> str:
    """Say where a finding is: `tool(parameter) /pointer`, `file:line:column`, or both."""
    tool = location.tool or ""
    if location.parameter is not None:
        tool = f"{tool}({location.parameter})"
    file = ":".join(str(part) for part in (location.file, location.line, location.column) if part is not None)
    return cut_text(" ".join(part for part in (tool, location.pointer, file) if part))


def rule_text(finding: Finding) -> str:
    """Name the rule of a finding, with its kind where it has one."""
    return f"{finding.rule_id} ({finding.kind})" if finding.kind else finding.rule_id


def evidence_items(finding: Finding, bound: int = EVIDENCE_BOUND) -> Iterator[tuple[str, str]]:
    """Give name and bounded text of each member of the evidence, and say what is left out.

    Of what a server wrote to stderr it is the end that is given, since the last lines say what happened.
    """
    for number, (name, value) in enumerate(finding.evidence.items()):
        if number == EVIDENCE_MEMBERS:
            yield "…", f"{len(finding.evidence) - number} more in the JSON report"
            return
        if name == STDERR and isinstance(value, str):
            yield name, cut_end(value, min(STDERR_BOUND, 2 * bound), STDERR_LINES)
        else:
            yield cut_text(name, 60), cut_text(json_text(value), bound)


def reproduce_text(finding: Finding) -> str:
    """Give the line or request that shows a finding again; empty where there is none."""
    if finding.reproduce is None:
        return ""
    return cut_text(json_text(finding.reproduce), REPRODUCE_BOUND)


def json_text(value: Json) -> str:
    """Show a text as it is and any other value as compact JSON, whatever its depth and numbers."""
    if isinstance(value, str):
        return value
    return json.dumps(writable(value), ensure_ascii=False, separators=(", ", ": "))


def unanswered(report: Report) -> list[RuleResult]:
    """List the rules that were meant to answer and did not, or not in full."""
    return [
        result
        for result in report.rules
        if result.reason and result.outcome in (Outcome.ERROR, Outcome.NOT_RUN, Outcome.FAIL)
    ]


def outside(report: Report) -> list[RuleResult]:
    """List the rules that do not apply."""
    return [result for result in report.rules if result.outcome is Outcome.NOT_APPLICABLE]


def by_reason(results: Sequence[RuleResult]) -> list[str]:
    """Say why rules did not answer, a sentence for each reason with the rules that give it."""
    names: dict[str, list[str]] = {}
    for result in results:
        names.setdefault(result.reason or result.outcome.value, []).append(result.rule)
    return [f"{some(rules, len(rules))}: {cut_text(why, MESSAGE_BOUND)}" for why, rules in names.items()]


def reason_text(result: RuleResult) -> str:
    """Say of a rule that did not answer why; all outcomes but pass and a plain fail have a reason."""
    return f"{result.rule}: {cut_text(result.reason or result.outcome.value, MESSAGE_BOUND)}"


def limit_text(hit: LimitHit) -> str:
    """Say which bound was reached, and where."""
    return f"{hit.limit} = {cut_text(json_text(hit.value), 60)} ({cut_text(hit.where)})"
