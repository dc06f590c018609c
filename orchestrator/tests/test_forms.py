"""The forms that all commands share, made from the merged document."""

import json
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from mcp_check_core.cli.options import Format
from mcp_check_core.model.report import ErrorKind, Outcome, Status
from mcp_check_core.report.head import Tone
from mcp_trust_check.outputs import rendered
from mcp_trust_check.render.report import merged_head, merged_report
from mcp_trust_check.rules import page_of_rule, rules_of, whole_book
from mcp_trust_check.tool_state import ToolState
from mcp_trust_check.toolset import TOOLS
from orchestrator.tests.made import finding, merged, report, run, state, states

CRASH, DIED = finding("fuzz/crash", "add"), finding("guard/server-crashed", "add")
NOISE = finding("guard/stdout-non-json")
ONE_FAULT = states(
    guard=state("guard", report("guard", [DIED, NOISE])), fuzz=state("fuzz", report("fuzz", [CRASH]))
)
HELD = states(fuzz=state("fuzz", report("fuzz", suppressed=[CRASH])))
UNKNOWN = states(guard=state("guard", b"", stderr_tail="KeyError: 'x'", exit_code=1))
KNOWN = {"faults": ONE_FAULT, "held": HELD, "unknown": UNKNOWN, "clean": states()}


def test_a_fault_of_two_rules_stands_once_and_the_other_rule_says_where() -> None:
    made = merged_report(merged(ONE_FAULT))
    answers = {row.rule: row for row in made.rules}

    assert [one.rule_id for one in made.findings] == ["fuzz/crash", "guard/stdout-non-json"]
    assert answers["fuzz/crash"].findings == answers["guard/stdout-non-json"].findings == 1
    assert answers["guard/server-crashed"].outcome is Outcome.NOT_APPLICABLE
    assert answers["guard/server-crashed"].reason == "what it found is shown under fuzz/crash"
    assert made.status is Status.FAIL


def test_a_tool_that_did_not_finish_is_an_error_of_the_report() -> None:
    made = merged_report(merged(UNKNOWN))
    (error,) = made.errors
    assert error.kind is ErrorKind.INTERNAL
    assert error.message.startswith("mcp-stdio-guard did not finish: it printed no report")
    assert (made.status, made.score) == (Status.INCOMPLETE, None)
    stopped = merged_report(merged(UNKNOWN, interrupted="stopped by SIGINT"))
    assert stopped.errors[0].kind is ErrorKind.INTERRUPTED


@pytest.mark.parametrize(
    ("known", "verdict", "tone"),
    [("faults", "BLOCK", Tone.BAD), ("unknown", "FIX-FIRST", Tone.FAIR), ("clean", "SHIP", Tone.GOOD)],
)
def test_the_head_gives_the_decision_and_what_was_not_checked(known: str, verdict: str, tone: Tone) -> None:
    head = merged_head(merged(KNOWN[known]))
    assert (head.verdict, head.tone) == (verdict, tone)
    assert "Not checked: doctor, lint, reality: not in this version" in head.lines


@pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN)
def test_counts_agree_in_every_form(known: Sequence[ToolState]) -> None:
    document: dict[str, Any] = json.loads(rendered(merged(known), Format.JSON))
    found, held = len(document["findings"]), len(document["suppressed"])

    (log,) = json.loads(rendered(document, Format.SARIF))["runs"]
    suppressed = [one for one in log["results"] if one.get("suppressions")]
    assert (len(log["results"]) - len(suppressed), len(suppressed)) == (found, held)
    assert log["properties"]["verdict"] == document["decision"]
    assert log["invocations"][0]["exitCode"] == document["gate"]["exitCode"]
    suite = ET.fromstring(rendered(document, Format.JUNIT))
    assert int(suite.attrib["failures"]) == found
    assert sum(case.attrib["type"] == "suppressed" for case in suite.iter("skipped")) == held
    page = rendered(document, Format.HTML).decode()
    assert page.count('<details class="finding"') == found
    assert document["decision"] in page
    lines = rendered(document, Format.GITHUB).decode()
    assert lines.count("\n::") == found + len(merged_report(document).errors)
    agent = rendered(document, Format.AGENT).decode()
    assert agent.startswith(f"{document['decision']}: mcp-trust-check")
    badge = json.loads(rendered(document, Format.BADGE))
    assert badge["message"].startswith(document["decision"])


def test_the_book_holds_the_rules_and_pages_of_all_tools() -> None:
    rules = rules_of(TOOLS)
    assert {rule.id.partition("/")[0] for rule in rules} >= {"core", "guard", "fuzz"}
    book = whole_book()
    for rule in rules:
        assert book.page(rule) == page_of_rule(rule)
        assert "## What it flags" in page_of_rule(rule)


def test_a_run_that_was_cut_off_has_no_document_and_is_shown_in_every_form() -> None:
    document = merged(UNKNOWN, runs={"guard": run("guard", b"", stderr_tail="KeyError: 'x'")})
    for form in Format:
        assert b"guard" in rendered(document, form) or form is Format.BADGE
