"""The report as workflow commands of GitHub Actions, which become annotations on a change.

GitHub keeps ten annotations of a level for each step, and drops the others without a word: past ten, the
tenth says how many more there are.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.report import Report, Target
from mcp_check_core.report import wording
from mcp_check_core.report.document import in_order
from mcp_check_core.report.head import Head, head_of
from mcp_check_core.report.places import repository_path
from mcp_check_core.report.sanitise import annotation, annotation_property, terminal

ANNOTATIONS = 10
"""Annotations of one level that GitHub keeps for a step."""
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


@dataclass(frozen=True, slots=True)
class _Annotation:
    """One annotation: whose it is (a rule, or what a run lacks), its properties and its message."""

    source: str
    properties: tuple[tuple[str, str], ...]
    message: str


def render_github(report: Report, *, head: Head | None = None) -> str:
    """Show a report as plain lines and annotations. A program that merges reports gives its own `head`."""
    shown = head or head_of(report)
    lines = [terminal(f"{shown.verdict}  {wording.program(report)}  {wording.target_text(report.target)}")]
    lines += [terminal(line) for line in shown.lines]
    ordered = in_order(report.findings)
    lacking = [
        _Annotation(error.kind.value, (("title", f"incomplete: {error.kind.value}"),), error.message)
        for error in report.errors
    ]
    for severity, level in _LEVELS.items():
        made = [_of(finding, report.target) for finding in ordered if finding.severity is severity]
        lines += _level(level, [*(lacking if level == "error" else []), *made])
    return "\n".join(lines) + "\n"


def _of(finding: Finding, target: Target) -> _Annotation:
    location = finding.location
    where = wording.place(location)
    places: list[tuple[str, str]] = []
    if location.file:
        numbers = (
            ("line", location.line),
            ("endLine", location.end_line),
            ("col", location.column),
            ("endColumn", location.end_column),
        )
        path = repository_path(target, location.file)
        places = [("file", path), *((name, str(value)) for name, value in numbers if value)]
    title = f"{wording.rule_text(finding)} {where}".strip()
    message = "\n".join(part for part in (finding.message, finding.hint) if part)
    return _Annotation(finding.rule_id, (*places, ("title", title)), message or finding.rule_id)


def _level(level: str, made: list[_Annotation]) -> Iterator[str]:
    shown = made if len(made) <= ANNOTATIONS else made[: ANNOTATIONS - 1]
    for one in shown:
        properties = ",".join(
            f"{name}={annotation_property(cut_text(value, 300))}" for name, value in one.properties
        )
        yield f"::{level} {properties}::{annotation(cut_text(one.message, 2 * wording.MESSAGE_BOUND))}"
    left = made[len(shown) :]
    if left:
        title = annotation_property(f"{len(left)} more of level {level}")
        yield f"::{level} title={title}::{annotation(_summary(left))}"


def _summary(left: Iterable[_Annotation]) -> str:
    counts = Counter(one.source for one in left)
    names = [f"{source} ({count})" for source, count in counts.most_common()]
    return f"{sum(counts.values())} more, which the full report has: {wording.some(names, len(names))}"
