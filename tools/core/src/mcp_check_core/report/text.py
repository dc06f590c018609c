"""The report as text for a person at a terminal: the verdict, then the worst, then what is not known."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.report import Report
from mcp_check_core.report import wording
from mcp_check_core.report.document import in_order
from mcp_check_core.report.sanitise import terminal

FINDINGS_SHOWN = 10
"""Findings of one rule that are shown in full; the others are counted."""
NARROWEST = 40
"""Columns that the text takes at least."""
_EVIDENCE_LINES = 10
"""Lines of one member of evidence that are shown; the others are counted."""
_DEEPEST = 16
"""Columns of its own indentation that a line of evidence keeps."""

_VERDICT_STYLES = {
    "PASS": "bold green",
    "WARNING": "bold yellow",
    "FAIL": "bold red",
    "INCOMPLETE": "bold magenta",
}
_SEVERITY_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


@dataclass(frozen=True, slots=True)
class Line:
    """One paragraph: pieces of text with a style each, `indent` columns in, `hang` more when it goes on.

    The text is sanitised by whoever makes the line. A line that is not `wrapped` can be copied whole.
    """

    pieces: tuple[tuple[str, str], ...]
    indent: int = 0
    hang: int = 0
    wrapped: bool = True


def render_text(report: Report, *, width: int, color: bool, head: Sequence[Line] | None = None) -> str:
    """Show a report in at most `width` columns; lines that show a finding again stay in one piece.

    `head` stands in the place of the first line, for a tool that opens with lines of its own.
    """
    opening = verdict_lines(report, width) if head is None else list(head)
    sections = [[*opening, *summary_lines(report)], *findings_sections(report), *_rest(report)]
    return render_lines([line for section in _parted(sections) for line in section], width=width, color=color)


def verdict_lines(report: Report, width: int) -> list[Line]:
    """Make the first line: verdict, tool, target."""
    word = wording.verdict(report)
    return opening_lines(
        (word, _VERDICT_STYLES[word]), wording.program(report), wording.target_text(report.target), width
    )


def opening_lines(verdict: tuple[str, str], program: str, target: str, width: int) -> list[Line]:
    """Put verdict (with its style), program and target on one line, or the target below where it is long."""
    shown = terminal(target)
    whole = f"  {program}  ·  {shown}"
    if sum(map(_cells, verdict[0] + whole)) <= max(width, NARROWEST):
        return [Line((verdict, (whole, "")))]
    return [Line((verdict, (f"  {program}", ""))), Line(((shown, ""),), indent=2, hang=2)]


def summary_lines(report: Report) -> list[Line]:
    """Make the lines below the first one: why it is incomplete, server, score, coverage, rules, counts."""
    lines = [
        Line(((f"{error.kind.value}: ", "bold magenta"), (_bounded(error.message), "")), hang=2)
        for error in report.errors
    ]
    server = wording.server_text(report.target)
    texts = [f"Server: {server}" if server else "", wording.score_text(report), wording.coverage_text(report)]
    texts += [wording.rules_text(report), wording.findings_text(report)]
    texts.append(wording.held_back_text(report))
    return [*lines, *(plain(text, hang=2) for text in texts if text)]


def findings_sections(report: Report) -> list[list[Line]]:
    """Make one section for each finding, worst first, and one for what is left out of a rule."""
    sections: list[list[Line]] = []
    shown: Counter[str] = Counter()
    for finding in in_order(report.findings):
        shown[finding.rule_id] += 1
        if shown[finding.rule_id] <= FINDINGS_SHOWN:
            sections.append(finding_lines(finding))
    more = [
        plain(f"{rule}: {count - FINDINGS_SHOWN} more")
        for rule, count in shown.items()
        if count > FINDINGS_SHOWN
    ]
    if more:
        sections.append([plain("Not shown here, but in the JSON report:"), *more])
    return sections


def finding_lines(finding: Finding) -> list[Line]:
    """Show one finding: severity, rule and place; message, hint, how to see it again, evidence."""
    where = terminal(wording.place(finding.location))
    style = _SEVERITY_STYLES[finding.severity]
    head = f" {terminal(wording.rule_text(finding))}" + (f"  {where}" if where else "")
    lines = [
        Line(((f"[{finding.severity.value}]", style), (head, "bold")), hang=2),
        plain(_bounded(finding.message), indent=2),
    ]
    if finding.hint:
        lines.append(plain(f"hint: {_bounded(finding.hint)}", indent=2, hang=2))
    again = wording.reproduce_text(finding)
    if again:
        lines.append(Line(((f"reproduce: {terminal(again)}", ""),), indent=2, wrapped=False))
    return lines + [
        line for name, value in wording.evidence_items(finding) for line in _evidence(name, value)
    ]


def _evidence(name: str, value: str) -> Iterator[Line]:
    """Show one member of the evidence; a text of several lines stands below its name."""
    shown = terminal(value, multi=True).split("\n")
    if len(shown) == 1:
        yield Line(((f"{terminal(name)}: {shown[0]}", "dim"),), indent=2, hang=2)
        return
    yield Line(((f"{terminal(name)}:", "dim"),), indent=2)
    for row in shown[:_EVIDENCE_LINES]:
        margin = len(row) - len(row.lstrip(" "))
        yield Line(((row.lstrip(" "), "dim"),), indent=4 + min(margin, _DEEPEST), hang=2)
    if len(shown) > _EVIDENCE_LINES:
        yield Line(((f"… {len(shown) - _EVIDENCE_LINES} more lines in the JSON report", "dim"),), indent=4)


def plain(text: str, *, indent: int = 0, hang: int = 0) -> Line:
    """Make a line without a style; its text is sanitised."""
    return Line(((terminal(text), ""),), indent, hang)


def render_lines(lines: Sequence[Line], *, width: int, color: bool) -> str:
    """Wrap lines at `width` columns and join them, with colours where asked."""
    paint = _painter() if color else _unpainted
    rows = [row for line in lines for row in _rows(line, max(width, NARROWEST), paint)]
    return "\n".join(rows) + "\n"


def _bounded(text: str) -> str:
    return terminal(cut_text(text, wording.MESSAGE_BOUND))


def _rest(report: Report) -> list[list[Line]]:
    """Make the sections on what is not known: rules without an answer, rules that do not apply, limits."""
    titled = (
        ("Not answered, or not in full", wording.by_reason(wording.unanswered(report))),
        ("Not applicable", wording.by_reason(wording.outside(report))),
        ("Limits reached", [wording.limit_text(hit) for hit in report.limits_hit]),
    )
    return [
        [Line(((title, "bold"),)), *(plain(text, indent=2, hang=2) for text in texts)]
        for title, texts in titled
        if texts
    ]


def _parted(sections: Sequence[list[Line]]) -> Iterator[list[Line]]:
    """Put an empty line between sections."""
    for number, section in enumerate(sections):
        if number:
            yield [Line((("", ""),))]
        yield section


def _rows(line: Line, width: int, paint: Callable[[str, str], str]) -> Iterator[str]:
    text = "".join(piece for piece, _ in line.pieces)
    spans = _breaks(text, width - line.indent, line.hang) if line.wrapped else iter(((0, len(text)),))
    for number, (start, end) in enumerate(spans):
        margin = " " * (line.indent + (line.hang if number else 0))
        yield (margin + _slice(line.pieces, start, end, paint)).rstrip()


def _slice(
    pieces: tuple[tuple[str, str], ...], start: int, end: int, paint: Callable[[str, str], str]
) -> str:
    """Cut the part from `start` to `end` out of the joined pieces, each painted in its style."""
    parts: list[str] = []
    at = 0
    for text, style in pieces:
        part = text[max(0, start - at) : max(0, end - at)]
        if part:
            parts.append(paint(part, style))
        at += len(text)
    return "".join(parts)


def _breaks(text: str, width: int, hang: int) -> Iterator[tuple[int, int]]:
    """Find the parts of a text that fit into `width` columns, later ones into `hang` less; cut at blanks."""
    start = 0
    room = width
    while True:
        end, blank, cells = start, -1, 0
        while end < len(text) and cells + _cells(text[end]) <= room:
            blank = end if text[end] == " " else blank
            cells += _cells(text[end])
            end += 1
        if end == len(text):
            yield start, end
            return
        blank = end if text[end] == " " else blank
        stop = blank if blank > start else max(end, start + 1)
        yield start, stop
        start = stop + 1 if stop == blank else stop
        room = width - hang


def _cells(character: str) -> int:
    """Columns of a character on a terminal."""
    if character.isascii():
        return 1
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _unpainted(text: str, style: str) -> str:
    del style
    return text


def _painter() -> Callable[[str, str], str]:
    """Make the function that colours; the import waits, since most output has no colour."""
    from rich.color import ColorSystem  # noqa: PLC0415
    from rich.style import Style  # noqa: PLC0415

    def paint(text: str, style: str) -> str:
        return Style.parse(style).render(text, color_system=ColorSystem.STANDARD) if style else text

    return paint
