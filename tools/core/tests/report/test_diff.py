import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from mcp_check_core.model.finding import Finding, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Report, Suppressed
from mcp_check_core.report.diff import Difference, DiffError, difference, difference_document
from mcp_check_core.report.diff_text import FINDINGS_SHOWN, render_difference
from mcp_check_core.report.document import to_document
from mcp_check_core.report.json_format import dump_document
from tools.core.tests.report.builders import CRASH, HANG, STYLE, collector, finished, report_with
from tools.core.tests.report.generated import reports
from tools.core.tests.report.injections import ATTEMPTS

ADD = CRASH.finding("It died.", location=Location(tool="add"))
SUB = CRASH.finding("It died.", location=Location(tool="sub"))
SLOW = HANG.finding("It hangs.")


def printed(report: Report) -> dict[str, Json]:
    document: dict[str, Json] = json.loads(dump_document(to_document(report)))
    return document


def compared(before: Report, after: Report) -> Difference:
    return difference(printed(before), printed(after))


def prints(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.fingerprint for finding in findings]


def test_new_resolved_changed_and_unchanged() -> None:
    style = STYLE.finding("It has no taste.")
    found = compared(
        report_with(ADD, SUB, style), report_with(SLOW, replace(SUB, severity=Severity.WARNING), style)
    )
    assert prints(found.new) == [SLOW.fingerprint]
    assert prints(found.resolved) == [ADD.fingerprint]
    assert [(one.after.fingerprint, one.members) for one in found.changed] == [
        (SUB.fingerprint, ("severity",))
    ]
    assert found.unchanged == 1
    assert not found.empty


def test_a_changed_message_is_a_change() -> None:
    found = compared(report_with(ADD), report_with(replace(ADD, message="It left.", severity=Severity.INFO)))
    assert found.changed[0].members == ("severity", "message")
    assert (found.changed[0].before.message, found.changed[0].after.message) == ("It died.", "It left.")


def test_what_is_held_back_is_not_resolved() -> None:
    after = replace(report_with(), suppressed=(Suppressed(ADD, "known"),))
    found = compared(report_with(ADD), after)
    assert prints(found.held_back) == [ADD.fingerprint]
    assert found.resolved == ()


def test_what_a_rule_did_not_look_for_is_not_resolved() -> None:
    run = collector()
    run.could_not_tell(CRASH.id, "no time")
    run.not_applicable(HANG.id, "left out")
    run.answered(STYLE.id)
    found = compared(report_with(ADD, SLOW), finished(run))
    assert prints(found.untold) == [ADD.fingerprint, SLOW.fingerprint]
    assert found.resolved == ()


def merged(report: Report) -> dict[str, Json]:
    """A merged document, as far as a difference looks at it."""
    document = printed(report)
    tools: Json = {"fuzz": {"document": {"rules": document.pop("rules")}}, "lint": {"document": None}}
    return {**document, "tool": {"name": "mcp-trust-check"}, "tools": tools}


def test_merged_documents_are_compared_by_the_rules_of_their_tools() -> None:
    found = difference(merged(report_with(ADD)), merged(report_with()))
    assert prints(found.resolved) == [ADD.fingerprint]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(reports(), reports())
def test_every_finding_is_somewhere_once(before: Report, after: Report) -> None:
    found = compared(before, after)
    gone = [*found.resolved, *found.held_back, *found.untold]
    assert len(gone) + len(found.changed) + found.unchanged == len(before.findings)
    assert len(found.new) + len(found.changed) + found.unchanged == len(after.findings)
    assert compared(before, before).empty


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ({}, {}, "no report"),
        (printed(report_with()), {"tool": {"name": "mcp-fuzz"}}, "no report"),
        (printed(report_with()), {**printed(report_with()), "tool": {"name": "mcp-lint"}}, "one of mcp-lint"),
        (
            {**printed(report_with()), "findings": [3]},
            printed(report_with()),
            "first cannot be read: it is not",
        ),
        (
            printed(report_with()),
            {**printed(report_with()), "findings": [{}]},
            "second cannot be read: /finger",
        ),
        (printed(report_with()), {**printed(report_with()), "rules": [{}]}, "a rule of the second"),
    ],
)
def test_what_cannot_be_compared_is_said(before: dict[str, Json], after: dict[str, Json], why: str) -> None:
    with pytest.raises(DiffError, match=why):
        difference(before, after)


def test_a_difference_is_written_as_json() -> None:
    found = compared(report_with(ADD, SUB), report_with(replace(SUB, message="It left."), SLOW))
    document = json.loads(dump_document(difference_document(found)))
    assert [one["fingerprint"] for one in document["new"]] == [SLOW.fingerprint]
    assert [one["fingerprint"] for one in document["resolved"]] == [ADD.fingerprint]
    (changed,) = document["changed"]
    assert changed["members"] == ["message"]
    assert changed["before"]["message"] == "It died."
    assert (document["heldBack"], document["untold"], document["unchanged"]) == ([], [], 0)


TEXT = """\
1 new, 1 resolved, 1 changed, 0 held back, 0 not told, 0 unchanged

New (1)
  [error] fuzz/hang
    It hangs.

Resolved (1)
  [error] fuzz/crash  add
    It died.

Changed (1)
  [info] fuzz/crash  sub
    severity: error, now info
    was: It died.
    now: It left.
"""


def test_a_difference_reads_from_new_to_changed() -> None:
    changed = replace(SUB, message="It left.", severity=Severity.INFO)
    found = compared(report_with(ADD, SUB), report_with(changed, SLOW))
    assert render_difference(found, width=80, color=False) == TEXT
    assert "\x1b[1;31mNew (1)\x1b[0m" in render_difference(found, width=80, color=True)


def test_many_are_counted() -> None:
    made = [CRASH.finding("m", key=str(number)) for number in range(FINDINGS_SHOWN + 3)]
    text = render_difference(compared(report_with(), report_with(*made)), width=80, color=False)
    assert text.count("[error]") == FINDINGS_SHOWN
    assert "  and 3 more\n" in text


@pytest.mark.parametrize("text", ATTEMPTS, ids=ascii)
def test_hostile_text_is_inert(text: str) -> None:
    hostile = CRASH.finding(text, location=Location(tool=text), kind=text)
    found = compared(report_with(), report_with(hostile))
    lines = render_difference(found, width=2_000, color=False).splitlines()
    assert len(lines) == 5
    assert not any(set(line) & set("\x00\x07\x08\x1b\x85\x9b\u200b\u2028\u202e") for line in lines)
    assert not any(line.lstrip().startswith("::") or "##[" in line for line in lines)
