"""Every format counts what the JSON document counts."""

import json
import re
from collections import Counter
from typing import Any
from xml.etree import ElementTree as ET

from hypothesis import HealthCheck, given, settings

from mcp_check_core.model.finding import Severity
from mcp_check_core.model.report import Report
from mcp_check_core.report import wording
from mcp_check_core.report.agent import render_agent
from mcp_check_core.report.badge import badge_document
from mcp_check_core.report.document import to_document
from mcp_check_core.report.github import ANNOTATIONS, render_github
from mcp_check_core.report.html import render_html
from mcp_check_core.report.json_format import dump_document
from mcp_check_core.report.junit import render_junit
from mcp_check_core.report.markdown import render_markdown
from mcp_check_core.report.sarif import sarif_document
from mcp_check_core.report.text import render_text
from tools.core.tests.report.builders import CRASH, STYLE, report_with
from tools.core.tests.report.generated import reports

LEVELS = {"error": "error", "warning": "warning", "note": "info", "notice": "info"}


def told(text: str) -> Counter[str]:
    """The counts in a sentence such as `Findings: 2 errors, 1 warning, 3 info`."""
    pairs = re.findall(r"(\d+) (error|warning|info)s?\b", text)
    return Counter({severity: int(count) for count, severity in pairs})


def line_with(text: str, start: str) -> str:
    return next((line for line in text.splitlines() if line.startswith(start)), "")


def sarif_counts(report: Report) -> tuple[Counter[str], int]:
    document = json.loads(dump_document(sarif_document(report)))
    results: list[Any] = document["runs"][0]["results"]
    free = [one for one in results if not one.get("suppressions")]
    return Counter(LEVELS[one["level"]] for one in free), len(results) - len(free)


def junit_counts(report: Report) -> tuple[Counter[str], int]:
    root = ET.fromstring(render_junit(report))
    failures = Counter(one.attrib["type"] for one in root.iter("failure"))
    held = sum(one.attrib["type"] == "suppressed" for one in root.iter("skipped"))
    for suite in (root, root[0]):
        assert int(suite.attrib["tests"]) == len(list(root.iter("testcase")))
        assert int(suite.attrib["failures"]) == failures.total()
        assert int(suite.attrib["errors"]) == len(list(root.iter("error")))
        assert int(suite.attrib["skipped"]) == len(list(root.iter("skipped")))
    return failures, held


def github_counts(report: Report) -> Counter[str]:
    counts: Counter[str] = Counter()
    levels: Counter[str] = Counter()
    for level, title in re.findall(r"^::(\w+) .*?title=([^:]*)::", render_github(report), re.MULTILINE):
        more = re.match(r"(\d+) more of level", title)
        levels[level] += 1
        counts[LEVELS[level]] += int(more[1]) if more else 1
    assert all(count <= ANNOTATIONS for count in levels.values())
    counts["error"] -= len(report.errors)
    return +counts


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(reports())
def test_counts_agree_in_every_format(report: Report) -> None:
    document = to_document(report)
    expected = Counter(finding.severity.value for finding in report.findings)
    held = len(report.suppressed)
    assert len(json.loads(dump_document(document))["findings"]) == expected.total()
    assert sarif_counts(report) == (expected, held)
    assert junit_counts(report) == (expected, held)
    assert github_counts(report) == expected
    text = render_text(report, width=2000, color=False)
    assert told(line_with(text, "Findings: ")) == expected
    markdown = render_markdown(report)
    assert told(line_with(markdown, "- Findings: ")) == expected
    agent = render_agent(report)
    assert told(line_with(agent, "Findings: ")) == expected
    shown = len(re.findall(r"^\d+\. (?:error|warning|info)", agent, re.MULTILINE))
    left = re.search(r"^(\d+) of \d+ findings are left out", agent, re.MULTILINE)
    assert shown + (int(left[1]) if left else 0) == expected.total()
    assert told(str(badge_document(report)["message"])) == expected
    page = render_html(report)
    assert f'<h2 id="findings">Findings ({expected.total()})</h2>' in page
    assert page.count('<details class="finding"') == expected.total()
    assert (
        (f"Held back: {held}:" in text)
        == (f"<summary>Held back ({held})</summary>" in markdown)
        == bool(held)
    )
    assert (f"<summary>Held back ({held})</summary>" in page) == bool(held)


def test_formats_that_show_some_say_how_many_there_are() -> None:
    made = [CRASH.finding("m", key=str(number)) for number in range(150)]
    made += [STYLE.finding("m", key=str(number), severity=Severity.WARNING) for number in range(11)]
    report = report_with(*made)
    assert github_counts(report) == {"error": 150, "warning": 11}
    agent = render_agent(report, bound=3_000)
    shown = len(re.findall(r"^\d+\. ", agent, re.MULTILINE))
    assert f"{161 - shown} of 161 findings are left out; mend these and run again." in agent
    assert len(agent) <= 3_000
    assert wording.findings_text(report) == "Findings: 150 errors, 11 warnings"
