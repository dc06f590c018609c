"""The merged document as text: the decision and why, what to do about it, and what was not checked."""

from collections.abc import Iterator, Mapping
from typing import Any

from mcp_check_core.report.text import Line, finding_lines, opening_lines, plain, render_lines
from mcp_trust_check.render import sentences
from mcp_trust_check.render.view import Shown, View, read_view

FINDINGS_SHOWN = 50
"""Findings that are shown in full, the worst first."""

_STYLES = {"BLOCK": "bold red", "FIX-FIRST": "bold yellow", "SHIP": "bold green"}
_EMPTY = Line((("", ""),))


def render_text(document: Mapping[str, Any], *, width: int, color: bool) -> str:
    """Show a merged document in at most `width` columns."""
    view = read_view(document)
    sections = [
        list(_head(view, width)),
        list(_facts(view)),
        *_findings(view),
        list(_titled("Not checked", sentences.not_checked(view))),
        list(_titled("Limits reached", sentences.limit_texts(view))),
        list(_titled("Suppressed", sentences.held_texts(view))),
    ]
    lines: list[Line] = []
    for section in filter(None, sections):
        lines += [*([_EMPTY] if lines else []), *section]
    return render_lines(lines, width=width, color=color)


def _head(view: View, width: int) -> Iterator[Line]:
    tool = view.document["tool"]
    program = f"{tool['name']} {tool['version']}"
    verdict = (view.decision, _STYLES[view.decision])
    yield from opening_lines(verdict, program, sentences.command_text(view), width)
    for text in sentences.reason_texts(view) or [sentences.no_reason(view)]:
        yield plain(f"- {text}", indent=2, hang=2)


def _facts(view: View) -> Iterator[Line]:
    confidence = view.document["confidence"]
    if server := sentences.server_text(view):
        yield plain(f"Server      {server}", hang=12)
    yield plain(f"Score       {sentences.score_text(view)}", hang=12)
    yield plain(f"Confidence  {confidence['level']}: {confidence['reasons'][0]}", hang=12)
    for reason in confidence["reasons"][1:]:
        yield plain(reason, indent=12)
    yield plain(f"Exercised   {sentences.coverage_text(view)}", hang=12)
    yield plain(f"Findings    {sentences.counts_text(view)}", hang=12)
    yield plain(f"Review      {sentences.review_text(view)}", hang=12)
    yield plain(f"Gate        {sentences.gate_text(view)}", hang=12)
    if view.document["interrupted"]:
        yield plain(f"Stopped     {view.document['interrupted']}; this is what was known by then", hang=12)


def _findings(view: View) -> Iterator[list[Line]]:
    if view.findings:
        yield [Line((("What to do, the worst first", "bold"),))]
    for shown in view.findings[:FINDINGS_SHOWN]:
        yield list(_finding(shown))
    more = len(view.findings) - FINDINGS_SHOWN
    if more > 0:
        yield [plain(f"{more} more findings are in the JSON report.")]


def _finding(shown: Shown) -> Iterator[Line]:
    first, *rest = finding_lines(shown.finding)
    if shown.decision:
        mark = (f"{shown.decision} ", _STYLES[shown.decision])
        yield Line((mark, *first.pieces), first.indent, first.hang, first.wrapped)
    else:
        yield first
    yield from rest
    if seen := sentences.seen_by_text(shown):
        yield plain(seen, indent=2, hang=2)


def _titled(title: str, texts: list[str]) -> Iterator[Line]:
    if texts:
        yield Line(((title, "bold"),))
    for text in texts:
        yield plain(text, indent=2, hang=2)
