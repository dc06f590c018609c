"""The report as GitHub Markdown, for a comment or a job summary: short on top, folded below, inert."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding
from mcp_check_core.model.report import Report, RuleResult, Suppressed
from mcp_check_core.report import wording
from mcp_check_core.report.document import in_order
from mcp_check_core.report.sanitise import markdown_code, markdown_fence, markdown_text

_T = TypeVar("_T")

MARKDOWN_BOUND = 60_000
"""Characters of the whole; GitHub refuses a comment of more than 65,536."""
_SECTION_BOUND = 5_000
_CUT_ROOM = 200


def render_markdown(report: Report, *, bound: int = MARKDOWN_BOUND) -> str:
    """Show a report in at most `bound` characters; where findings are left out it says how many."""
    head = _head(report)
    rest = _rest(report)
    room = bound - _length(head) - _length(rest) - _CUT_ROOM
    return "\n\n".join([*head, *_findings(report, room), *rest]) + "\n"


def finding_blocks(finding: Finding) -> list[str]:
    """Show one finding: a line with severity, rule and place, the message, and the rest folded."""
    where = wording.place(finding.location)
    title = f"**{finding.severity.value}** {markdown_code(wording.rule_text(finding))}"
    blocks = [f"{title} {markdown_code(where)}" if where else title, _bounded(finding.message)]
    if finding.hint:
        blocks.append(f"What to do: {_bounded(finding.hint)}")
    folded: list[str] = []
    again = wording.reproduce_text(finding)
    if again:
        folded += ["See it again:", markdown_fence(again)]
    for name, value in wording.evidence_items(finding):
        folded += [f"{markdown_code(name)}:", markdown_fence(value)]
    return [*blocks, *_folded("Evidence", folded)]


def _head(report: Report) -> list[str]:
    title = f"### {wording.verdict(report)} · {markdown_text(wording.program(report))}"
    server = wording.server_text(report.target)
    texts = (
        wording.score_text(report),
        cut_text(wording.coverage_text(report), 2 * wording.MESSAGE_BOUND),
        wording.rules_text(report),
        wording.findings_text(report),
    )
    lines = [f"Server: {markdown_code(server)}"] if server else []
    return [
        title,
        markdown_code(wording.target_text(report.target)),
        *_listed(report.errors, lambda error: f"**{error.kind.value}**: {_bounded(error.message)}"),
        *_listed([*lines, *map(markdown_text, texts)], str),
    ]


def _findings(report: Report, room: int) -> list[str]:
    """Show findings, worst first, while there is room, and say how many there were no room for."""
    blocks: list[str] = []
    ordered = in_order(report.findings)
    for number, finding in enumerate(ordered):
        shown = finding_blocks(finding)
        room -= _length(shown)
        if room < 0:
            left = len(ordered) - number
            blocks.append(
                f"**{left} of {len(ordered)} findings are left out here; the JSON report has them all.**"
            )
            break
        blocks += shown
    return blocks


def _rest(report: Report) -> list[str]:
    """Show, folded, what is not known, what was held back, and every rule."""

    unanswered, outside = wording.unanswered(report), wording.outside(report)
    return [
        *_reasons("Not answered, or not in full", unanswered),
        *_counted("Limits reached", report.limits_hit, lambda hit: markdown_text(wording.limit_text(hit))),
        *_counted("Held back", report.suppressed, _held_back),
        *_reasons("Not applicable", outside),
        *_counted(
            "All rules", report.rules, lambda result: f"{markdown_code(result.rule)}: {result.outcome.value}"
        ),
    ]


def _reasons(title: str, results: Sequence[RuleResult]) -> list[str]:
    return _folded(f"{title} ({len(results)})", _listed(wording.by_reason(results), _bounded))


def _held_back(held: Suppressed) -> str:
    return f"{markdown_code(held.finding.rule_id)}: {_bounded(held.reason)}"


def _counted(title: str, items: Sequence[_T], show: Callable[[_T], str]) -> list[str]:
    return _folded(f"{title} ({len(items)})", _listed(items, show))


def _listed(items: Sequence[_T], show: Callable[[_T], str]) -> list[str]:
    """Make a list of at most `_SECTION_BOUND` characters that says how many items it leaves out."""
    lines: list[str] = []
    room = _SECTION_BOUND
    for number, item in enumerate(items):
        line = f"- {show(item)}"
        room -= len(line) + 1
        if room < 0:
            lines.append(f"- … and {len(items) - number} more in the JSON report")
            break
        lines.append(line)
    return ["\n".join(lines)] if lines else []


def _folded(title: str, blocks: Sequence[str]) -> list[str]:
    return [f"<details><summary>{title}</summary>", *blocks, "</details>"] if blocks else []


def _bounded(text: str) -> str:
    return markdown_text(cut_text(text, wording.MESSAGE_BOUND))


def _length(blocks: Iterable[str]) -> int:
    return sum(len(block) + 2 for block in blocks)
