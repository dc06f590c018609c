"""The few lines at the top of a report, as data, for formats that do not lay out text of their own."""

from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.model.report import Report, Status
from mcp_check_core.report import wording


class Tone(StrEnum):
    """How good the news is; formats choose a colour by it."""

    GOOD = "good"
    FAIR = "fair"
    BAD = "bad"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Head:
    """A verdict in a word or two, its tone, and the sentences that stand below it.

    The texts may hold what a server says; the formats sanitise them. A program that merges reports gives a
    head of its own, and a `Report` of what it merged, to the same renderers.
    """

    verdict: str
    tone: Tone
    lines: tuple[str, ...] = ()


_TONES = {
    Status.PASS: Tone.GOOD,
    Status.WARNING: Tone.FAIR,
    Status.FAIL: Tone.BAD,
    Status.INCOMPLETE: Tone.UNKNOWN,
}


def head_of(report: Report) -> Head:
    """Make the head of the report of one tool: server, score, coverage, counts of rules and findings."""
    server = wording.server_text(report.target)
    texts = (
        f"Server: {server}" if server else "",
        wording.score_text(report),
        wording.coverage_text(report),
        wording.rules_text(report),
        wording.findings_text(report),
        wording.held_back_text(report),
    )
    lines = tuple(text for text in texts if text)
    return Head(wording.verdict(report), _TONES[report.status], lines)
