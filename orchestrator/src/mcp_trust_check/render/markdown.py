"""The merged document as GitHub Markdown: the decision and why on top, the rest folded, all of it inert."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.report import wording
from mcp_check_core.report.markdown import MARKDOWN_BOUND, finding_blocks
from mcp_check_core.report.sanitise import markdown_code, markdown_fence, markdown_text
from mcp_trust_check.render import sentences
from mcp_trust_check.render.view import Shown, View, read_view

_SECTION_BOUND = 6_000
_REASONS_BOUND = 3_000
_CUT_ROOM = 300


def render_markdown(document: Mapping[str, Any], *, bound: int = MARKDOWN_BOUND) -> str:
    """Show a merged document in at most `bound` characters; what is left out is counted."""
    view = read_view(document)
    head = [*_head(view), *_facts(view)]
    rest = list(_rest(view))
    room = bound - _length(head) - _length(rest) - _CUT_ROOM
    return "\n\n".join([*head, *_findings(view, room), *rest]) + "\n"


def _head(view: View) -> Iterator[str]:
    """Make the first three lines: decision and confidence, what was checked, why."""
    level = view.document["confidence"]["level"]
    title = f"### {view.decision} · confidence {level} · score {_bounded(sentences.score_text(view))}"
    texts = sentences.reason_texts(view) or [sentences.no_reason(view)]
    why = _joined([_bounded(text) for text in texts], "; ", _REASONS_BOUND)
    target = markdown_code(sentences.command_text(view))
    if server := sentences.server_text(view):
        target = f"{target} {markdown_code(server)}"
    yield f"{title}\n{target}\n**Why:** {why}"


def _facts(view: View) -> Iterator[str]:
    confidence = view.document["confidence"]
    tool = view.document["tool"]
    reasons = _joined([_bounded(reason) for reason in confidence["reasons"]], "; ", _REASONS_BOUND)
    lines = [
        f"Findings: {sentences.counts_text(view)}",
        f"Confidence: {reasons}",
        f"Exercised: {markdown_text(sentences.coverage_text(view))}",
        f"Review: {sentences.review_text(view)}",
        f"Gate: {_bounded(sentences.gate_text(view))}",
    ]
    if view.document["interrupted"]:
        lines.append(f"Stopped: {_bounded(view.document['interrupted'])}; this is what was known by then")
    lines.append(f"Made by {tool['name']} {markdown_text(tool['version'])}")
    yield "\n".join(f"- {line}" for line in lines)


def _findings(view: View, room: int) -> Iterator[str]:
    """Show the findings, the worst first, folded, while there is room; count those there was no room for."""
    for number, shown in enumerate(view.findings):
        blocks = list(_finding(shown))
        room -= _length(blocks)
        if room < 0:
            left, total = len(view.findings) - number, len(view.findings)
            yield f"**{left} of {total} findings are left out here; the JSON report has them all.**"
            return
        yield from blocks


def _finding(shown: Shown) -> Iterator[str]:
    finding = shown.finding
    decision = f"{shown.decision} · " if shown.decision else ""
    title, _message, *rest = finding_blocks(finding)
    yield f"<details><summary>{decision}{finding.severity.value} · {_bounded(finding.message)}</summary>"
    yield from (title, *rest)
    if seen := sentences.seen_by_text(shown):
        yield markdown_text(seen)
    yield "</details>"


def _rest(view: View) -> Iterator[str]:
    not_checked = sentences.not_checked(view)
    yield from _folded(f"Not checked ({len(not_checked)})", _listed(not_checked))
    limits = sentences.limit_texts(view)
    yield from _folded(f"Limits reached ({len(limits)})", _listed(limits))
    held = sentences.held_texts(view)
    yield from _folded(f"Suppressed ({len(view.document['suppressed'])})", _listed(held))
    for short, tool in view.in_state("incomplete").items():
        stderr = (tool["process"] or {}).get("stderr")
        if stderr:
            yield from _folded(f"stderr of {short}", [markdown_fence(cut_text(stderr, 1_500))])


def _listed(texts: Sequence[str]) -> list[str]:
    lines: list[str] = []
    room = _SECTION_BOUND
    for number, text in enumerate(texts):
        line = f"- {_bounded(text)}"
        room -= len(line) + 1
        if room < 0:
            lines.append(f"- … and {len(texts) - number} more in the JSON report")
            break
        lines.append(line)
    return ["\n".join(lines)] if lines else []


def _joined(texts: Sequence[str], by: str, bound: int) -> str:
    shown: list[str] = []
    room = bound
    for number, text in enumerate(texts):
        room -= len(text) + len(by)
        if room < 0:
            return by.join([*shown, f"and {len(texts) - number} more in the JSON report"])
        shown.append(text)
    return by.join(shown)


def _folded(title: str, blocks: Sequence[str]) -> list[str]:
    return [f"<details><summary>{title}</summary>", *blocks, "</details>"] if blocks else []


def _bounded(text: str) -> str:
    return markdown_text(cut_text(text, wording.MESSAGE_BOUND))


def _length(blocks: Sequence[str]) -> int:
    return sum(len(block) + 2 for block in blocks)
