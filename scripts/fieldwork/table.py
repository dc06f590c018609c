"""The table of a run over many servers, as text and as Markdown. All texts of servers are made inert."""

from collections.abc import Iterable, Sequence

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.report.sanitise import markdown_text, terminal
from scripts.fieldwork.rows import SEVERITIES, Row

HEAD = (
    "server",
    "version",
    "outcome",
    "score",
    "calls",
    "judged/tools",
    *SEVERITIES,
    "starts",
    "seconds",
    "skips and reasons",
)
_REASONS = 3
_REASON = 160


def text_table(rows: Sequence[Row]) -> str:
    """Render rows and totals for a terminal; the last column is as long as its texts."""
    lines = [HEAD, *(tuple(terminal(cell) for cell in cells(row)) for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(HEAD))]
    shown = (
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
    return "\n".join((*shown, "", *totals(rows), ""))


def markdown_table(rows: Sequence[Row]) -> str:
    """Render rows and totals as Markdown."""
    lines = [HEAD, tuple("---" for _ in HEAD)]
    lines += [tuple(markdown_text(cell) for cell in cells(row)) for row in rows]
    shown = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join((*shown, "", *(f"- {markdown_text(line)}" for line in totals(rows)), ""))


def cells(row: Row) -> tuple[str, ...]:
    """Return a row's cells as plain, bounded texts; they may still hold what a server said."""
    found = row.findings
    return (
        row.server,
        row.version,
        row.outcome,
        _number(row.score),
        _number(row.calls),
        "–" if row.judged is None or row.tools is None else f"{row.judged}/{row.tools}",
        *("–" if found is None else str(found.get(severity, 0)) for severity in SEVERITIES),
        _number(row.starts),
        _number(row.seconds),
        _skips(row.skips),
    )


def totals(rows: Sequence[Row]) -> tuple[str, ...]:
    """Sum up: how many runs count, why the others do not, and what was found in those that do."""
    counted = [row for row in rows if row.counted]
    others: dict[str, int] = {}
    for row in rows:
        if not row.counted:
            others[row.outcome] = others.get(row.outcome, 0) + 1
    not_counted = ", ".join(f"{count} {outcome}" for outcome, count in sorted(others.items())) or "none"
    sums = ", ".join(
        f"{sum((row.findings or {}).get(severity, 0) for row in counted)} {severity}"
        for severity in SEVERITIES
    )
    made = f"calls made {_sum(row.calls for row in counted)}, starts {_sum(row.starts for row in counted)}"
    judged = f"tools judged {_sum(row.judged for row in counted)} of {_sum(row.tools for row in counted)}"
    return (
        f"servers: {len(rows)}; counted as run: {len(counted)}; not counted: {not_counted}",
        f"in those counted: {made}, {judged}, findings {sums}",
    )


def _sum(numbers: Iterable[int | None]) -> int:
    return sum(number or 0 for number in numbers)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"


def _skips(reasons: tuple[str, ...]) -> str:
    shown = [cut_text(reason, _REASON) for reason in reasons[:_REASONS]]
    if len(reasons) > _REASONS:
        shown.append(f"{len(reasons) - _REASONS} more")
    return "; ".join(shown)
