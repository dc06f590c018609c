"""The report as the JSON that a shields.io endpoint badge is made from."""

from collections import Counter

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Report, Status
from mcp_check_core.report import wording
from mcp_check_core.report.head import Head, Tone, head_of
from mcp_check_core.report.sanitise import visible

_COLORS = {Tone.GOOD: "brightgreen", Tone.FAIR: "yellow", Tone.BAD: "red", Tone.UNKNOWN: "lightgrey"}
_LONGEST = 80


def badge_document(report: Report, *, head: Head | None = None) -> dict[str, Json]:
    """Turn a report into a badge: the score or the status, and how many findings there are.

    A program that merges reports gives its own `head`; its verdict then stands in front.
    """
    shown = head or head_of(report)
    parts = [shown.verdict.lower() if head is None else shown.verdict]
    if report.score is not None and report.status is not Status.INCOMPLETE:
        parts.append(f"{report.score.value:.1f} {report.score.grade}")
    counts = Counter(finding.severity for finding in report.findings)
    found = [wording.plural(counts[severity], severity.value) for severity in Severity if counts[severity]]
    parts += found or ["no findings"]
    return {
        "schemaVersion": 1,
        "label": visible(report.tool),
        "message": visible(cut_text(" · ".join(parts), _LONGEST)),
        "color": _COLORS[shown.tone],
        "isError": shown.tone is Tone.BAD,
    }
