"""The report as one HTML file: no script, nothing loaded from anywhere, readable on a phone and by keyboard.

It needs jinja2 (`mcp-check-core[report]`). Every value goes through autoescaping after what cannot be seen
was made visible; a content security policy admits this file's own style sheet, by its hash, and nothing else.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
from mcp_check_core.report.sanitise import visible, visible_lines

if TYPE_CHECKING:
    from jinja2 import Template

FINDINGS_SHOWN = 1_000
"""Findings that the page shows; more are counted."""
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
    outcome: str
    findings: int


def render_html(report: Report, book: RuleBook | None = None, *, head: Head | None = None) -> str:
    """Show a report as a page. Raises ImportError without jinja2.

    A program that merges reports gives a `Report` of what it merged, the book of all its rules, and a head.
    """
    ordered = in_order(report.findings)
    style = _text("report.css")
    page: str = _template().render(
        style=_own(style),
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        head=head or head_of(report),
        program=wording.program(report),
        target=wording.target_text(report.target),
        errors=[{"kind": one.kind.value, "message": _bounded(one.message)} for one in report.errors],
        findings=[_shown(finding) for finding in ordered[:FINDINGS_SHOWN]],
        total=len(ordered),
        left_out=max(0, len(ordered) - FINDINGS_SHOWN),
        open=_OPEN,
        sections=[section for section in _sections(report) if section.count],
        rules=list(_rule_rows(report, book or RuleBook())),
    )
    return page


def _shown(finding: Finding) -> _Shown:
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
        yield _RuleRow(result.rule, title, result.outcome.value, result.findings)


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


def _own(text: str) -> object:
    """Mark a text of ours as one that is not to be escaped."""
    from markupsafe import Markup  # noqa: PLC0415

    return Markup(text)  # noqa: S704 - the style sheet of this package


def _text(name: str) -> str:
    return files("mcp_check_core.report").joinpath("templates", name).read_text("utf-8")
