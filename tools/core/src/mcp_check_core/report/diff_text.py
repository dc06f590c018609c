"""A difference between two documents as text for a terminal."""

from collections.abc import Iterable, Iterator

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding
from mcp_check_core.report import wording
from mcp_check_core.report.diff import Changed, Difference
from mcp_check_core.report.sanitise import terminal
from mcp_check_core.report.text import Line, plain, render_lines

FINDINGS_SHOWN = 100
"""Findings of one kind of difference that are shown; the others are counted."""


def render_difference(found: Difference, *, width: int, color: bool) -> str:
    """Show what is new, resolved, changed, held back, and what cannot be told, in this order."""
    sections = [
        ("New", "bold red", [_lines(one) for one in found.new]),
        ("Resolved", "bold green", [_lines(one) for one in found.resolved]),
        ("Changed", "bold yellow", [_changed(change) for change in found.changed]),
        ("Held back now", "bold cyan", [_lines(one) for one in found.held_back]),
        ("Not told: the rule did not answer", "bold magenta", [_lines(one) for one in found.untold]),
    ]
    counts = [
        f"{len(found.new)} new",
        f"{len(found.resolved)} resolved",
        f"{len(found.changed)} changed",
        f"{len(found.held_back)} held back",
        f"{len(found.untold)} not told",
        f"{found.unchanged} unchanged",
    ]
    lines = [plain(", ".join(counts))]
    for title, style, blocks in sections:
        lines += _section(title, style, blocks)
    return render_lines(lines, width=width, color=color)


def _section(title: str, style: str, blocks: list[list[Line]]) -> Iterator[Line]:
    if not blocks:
        return
    yield plain("")
    yield Line(((f"{title} ({len(blocks)})", style),))
    for block in blocks[:FINDINGS_SHOWN]:
        yield from block
    if len(blocks) > FINDINGS_SHOWN:
        yield plain(f"and {len(blocks) - FINDINGS_SHOWN} more", indent=2)


def _lines(finding: Finding) -> list[Line]:
    return [_title(finding), plain(_bounded(finding.message), indent=4)]


def _changed(change: Changed) -> list[Line]:
    lines = [_title(change.after)]
    if "severity" in change.members:
        was, now = change.before.severity.value, change.after.severity.value
        lines.append(plain(f"severity: {was}, now {now}", indent=4))
    if "message" in change.members:
        lines += _labelled((("was", change.before.message), ("now", change.after.message)))
    return lines


def _labelled(pairs: Iterable[tuple[str, str]]) -> Iterator[Line]:
    for label, text in pairs:
        yield plain(f"{label}: {_bounded(text)}", indent=4, hang=2)


def _title(finding: Finding) -> Line:
    where = terminal(wording.place(finding.location))
    text = f"[{finding.severity.value}] {terminal(wording.rule_text(finding))}"
    return Line(((f"{text}  {where}" if where else text, "bold"),), indent=2, hang=2)


def _bounded(text: str) -> str:
    return cut_text(text, wording.MESSAGE_BOUND)
