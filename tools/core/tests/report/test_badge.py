from dataclasses import replace

import pytest

from mcp_check_core.model.finding import Severity
from mcp_check_core.model.report import Report
from mcp_check_core.report.badge import badge_document
from mcp_check_core.report.head import Head, Tone
from tools.core.tests.report.builders import CRASH, collector, finished, report_with

SEVERAL = [CRASH.finding("m", severity=severity, key=severity) for severity in Severity]
WARNED = CRASH.finding("m", severity=Severity.WARNING)


@pytest.mark.parametrize(
    ("report", "message", "color"),
    [
        (report_with(), "pass · 83.3 B · no findings", "brightgreen"),
        (replace(report_with(), score=None), "pass · no findings", "brightgreen"),
        (report_with(WARNED), "warning · 83.3 B · 1 warning", "yellow"),
        (report_with(*SEVERAL), "fail · 83.3 B · 1 error · 1 warning · 1 info", "red"),
        (finished(collector()), "incomplete · no findings", "lightgrey"),
    ],
)
def test_a_badge_says_verdict_score_and_counts(report: Report, message: str, color: str) -> None:
    assert badge_document(report) == {
        "schemaVersion": 1,
        "label": "mcp-fuzz",
        "message": message,
        "color": color,
        "isError": color == "red",
    }


def test_a_caller_may_give_the_verdict() -> None:
    badge = badge_document(report_with(), head=Head("SHIP", Tone.GOOD))
    assert badge["message"] == "SHIP · 83.3 B · no findings"


def test_a_badge_stays_small() -> None:
    badge = badge_document(report_with(), head=Head("x" * 10_000, Tone.FAIR))
    assert len(str(badge["message"])) < 150
