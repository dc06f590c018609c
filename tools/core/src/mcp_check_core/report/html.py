"""The report as one HTML file: no script, nothing loaded from anywhere, readable on a phone and by keyboard.

It needs jinja2 (`mcp-check-core[report]`). Every value goes through autoescaping after what cannot be seen
was made visible; a content security policy admits this file's own style sheet, by its hash, and nothing else.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding
from mcp_check_core.model.report import Report
from mcp_check_core.report import wording
from mcp_check_core.report.document import in_order
from mcp_check_core.report.head import Head, head_of
from mcp_check_core.report.rule_book import RuleBook
from mcp_check_core.report.sanitise import html_text, visible, visible_lines
from mcp_check_core.report.suppressions import suppression_entry

if TYPE_CHECKING:
    from jinja2 import Template

FINDINGS_SHOWN = 1_000
"""Findings that the page shows at most; more are counted."""
PAGE_BOUND = 3_000_000
"""Characters of the findings that the page shows; what there is no room for is counted."""
HELD_DAYS = 90
"""Days for which the entry that the page offers would hold a finding back."""
_ITEMS_SHOWN = 500
_OPEN = 3


class _Block(str):
    """A text whose line ends are kept."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class _Shown:
    """One finding as the page shows it."""

    severity: str
    rule: str
    place: str
    message: str
    facts: str
    hint: str
    reproduce: _Block
    evidence: tuple[tuple[str, _Block], ...]
    entry: _Block


@dataclass(frozen=True, slots=True)
class _Section:
    """A folded list below the findings."""

    title: str
    count: int
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _RuleRow:
    """A row of the table of rules."""

    name: str
    title: str
    references: str
    outcome: str
    findings: int


def render_html(report: Report, book: RuleBook | None = None, *, head: Head | None = None) -> str:
    """Show a report as a page. Raises ImportError without jinja2.

    A program that merges reports gives a `Report` of what it merged, the book of all its rules, and a head.
    """
    shown = _findings(report)
    style = _text("report.css")
    page: str = _template().render(
        style=style,
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        head=head or head_of(report),
        program=wording.program(report),
        target=wording.target_text(report.target),
        errors=[{"kind": one.kind.value, "message": _bounded(one.message)} for one in report.errors],
        findings=shown,
        total=len(report.findings),
        left_out=len(report.findings) - len(shown),
        open=_OPEN,
        sections=[section for section in _sections(report) if section.count],
        rules=list(_rule_rows(report, book or RuleBook())),
    )
    return page


def _findings(report: Report) -> list[_Shown]:
    """Make what is shown of the findings, worst first, while there is room."""
    until = report.timings.started_at.date() + timedelta(days=HELD_DAYS)
    made: list[_Shown] = []
    room = PAGE_BOUND
    for finding in in_order(report.findings)[:FINDINGS_SHOWN]:
        shown = _shown(finding, until)
        texts = (shown.rule, shown.place, shown.message, shown.hint, shown.reproduce)
        room -= sum(
            len(html_text(text)) for text in (*texts, *(part for pair in shown.evidence for part in pair))
        )
        if room < 0:
            break
        made.append(shown)
    return made


def _shown(finding: Finding, until: date) -> _Shown:
    facts = [finding.category.value, finding.certainty.value, f"fingerprint {finding.fingerprint}"]
    return _Shown(
        severity=finding.severity.value,
        rule=wording.rule_text(finding),
        place=wording.place(finding.location),
        message=_bounded(finding.message),
        facts=" · ".join(facts),
        hint=_bounded(finding.hint or ""),
        reproduce=_Block(wording.reproduce_text(finding)),
        evidence=tuple((name, _Block(value)) for name, value in wording.evidence_items(finding)),
        entry=_Block(suppression_entry(finding, until)),
    )


def _sections(report: Report) -> Iterator[_Section]:
    unanswered = [wording.reason_text(result) for result in wording.unanswered(report)]
    yield _section("Not answered, or not in full", unanswered)
    yield _section("Limits reached", [wording.limit_text(hit) for hit in report.limits_hit])
    skipped = [f"{one.tool}: {one.reason}" for one in report.coverage.skipped]
    yield _section("Tools that were not checked", skipped)
    held = sorted(report.suppressed, key=lambda one: one.finding.sort_key())
    texts = [
        f"{wording.rule_text(one.finding)} {wording.place(one.finding.location)}: {one.reason}"
        for one in held
    ]
    yield _section("Held back", texts)
    yield _section("Not applicable", [wording.reason_text(result) for result in wording.outside(report)])


def _section(title: str, texts: Sequence[str]) -> _Section:
    shown = [_bounded(text) for text in texts[:_ITEMS_SHOWN]]
    if len(texts) > _ITEMS_SHOWN:
        shown.append(f"… and {len(texts) - _ITEMS_SHOWN} more in the JSON report")
    return _Section(title, len(texts), tuple(shown))


def _rule_rows(report: Report, book: RuleBook) -> Iterator[_RuleRow]:
    for result in report.rules:
        rule = book.rules.get(result.rule)
        title = rule.title if rule else ""
        references = "; ".join(rule.references) if rule else ""
        yield _RuleRow(result.rule, title, references, result.outcome.value, result.findings)


def _bounded(text: str) -> str:
    return cut_text(text, wording.MESSAGE_BOUND)


@cache
def _template() -> "Template":
    """Compile the template; jinja2 is imported here, since it is an extra and no other format needs it."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_made_visible, keep_trailing_newline=True
    )
    return environment.from_string(_text("report.html.jinja"))


def _made_visible(value: Any) -> Any:  # noqa: ANN401 - whatever a template prints
    """Show what cannot be seen in every text but our own, before the text is escaped."""
    if isinstance(value, _Block):
        return visible_lines(value)
    return visible(value) if type(value) is str else value


def _text(name: str) -> str:
    return files("mcp_check_core.report").joinpath("templates", name).read_text("utf-8")
