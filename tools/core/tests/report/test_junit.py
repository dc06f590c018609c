import re
from collections.abc import Mapping
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_check_core.model.finding import Location
from mcp_check_core.model.report import ErrorKind, LimitHit, Report, RunError, Suppressed
from mcp_check_core.report.head import Head, Tone
from mcp_check_core.report.junit import render_junit
from tools.core.tests.report.builders import CRASH, HANG, STYLE, collector, finished, report_with
from tools.core.tests.report.generated import reports
from tools.core.tests.report.injections import attacked

# What Jenkins reads (junit-10.xsd of its xUnit plug-in): the elements in an element, in their order, and the
# attributes with the form of their values. Those with a star must be there.
NUMBER, SECONDS, TEXT = r"\d+", r"\d+\.\d{3}", r"(?s).*"
MOMENT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"
COUNTS = {"tests*": NUMBER, "failures*": NUMBER, "errors*": NUMBER, "skipped": NUMBER, "time": SECONDS}
RESULT = {"message": TEXT, "type": TEXT}
ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "testsuites": {"name": TEXT, **COUNTS},
    "testsuite": {"name*": TEXT, "timestamp": MOMENT, **COUNTS},
    "properties": {},
    "property": {"name*": TEXT, "value*": TEXT},
    "testcase": {"name*": TEXT, "classname": TEXT, "time": SECONDS},
    "failure": RESULT,
    "error": RESULT,
    "skipped": RESULT,
    "system-out": {},
}
CHILDREN = {
    "testsuites": r"(testsuite )*",
    "testsuite": r"(properties )?(testcase )*(system-out )?",
    "properties": r"(property )*",
    "testcase": r"((failure|error|skipped) )?",
}


def problems(element: ET.Element) -> list[str]:
    """Say where a document is not what the schema allows."""
    allowed = ATTRIBUTES.get(element.tag)
    if allowed is None:
        return [f"there is no element {element.tag}"]
    patterns = {name.rstrip("*"): pattern for name, pattern in allowed.items()}
    found = [
        f"{element.tag}/@{name}={value!r}"
        for name, value in element.attrib.items()
        if name not in patterns or not re.fullmatch(patterns[name], value)
    ]
    found += [name for name in allowed if name.endswith("*") and name[:-1] not in element.attrib]
    inside = "".join(f"{child.tag} " for child in element)
    if not re.fullmatch(CHILDREN.get(element.tag, ""), inside):
        found.append(f"{element.tag} holds {inside}")
    return [*found, *(problem for child in element for problem in problems(child))]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(reports())
def test_every_document_has_the_form_that_jenkins_reads(report: Report) -> None:
    root = ET.fromstring(render_junit(report))
    assert root.tag == "testsuites"
    assert problems(root) == []


def test_the_form_is_judged_at_all() -> None:
    broken = ET.fromstring(
        '<testsuites><testsuite name="x"><testcase time="1"><a/></testcase></testsuite></testsuites>'
    )
    assert len(problems(broken)) > 5


@settings(max_examples=60)
@given(st.text(st.characters(codec=None), max_size=60))
def test_hostile_text_is_well_formed(text: str) -> None:
    root = ET.fromstring(render_junit(attacked(text)))
    assert problems(root) == []


def cases(report: Report) -> list[tuple[str, str, str, str]]:
    """Class, name without fingerprint, element and message of each case."""
    return [
        (
            case.attrib["classname"],
            re.sub(r" \[[0-9a-f]{16}\]$", "", case.attrib["name"]),
            case[0].tag if len(case) else "",
            case[0].attrib["message"] if len(case) else "",
        )
        for case in ET.fromstring(render_junit(report)).iter("testcase")
    ]


def test_a_rule_is_a_case_and_each_finding_of_it() -> None:
    run = collector()
    run.found(CRASH.finding("It died.", location=Location(tool="add", parameter="a")))
    run.found(CRASH.finding("It died too.", location=Location(tool="sub")))
    run.answered(CRASH.id)
    run.could_not_tell(HANG.id, "no time")
    run.not_applicable(STYLE.id, "no style")
    run.error(RunError(ErrorKind.UNREACHABLE, "No such host."))
    report = replace(finished(run), suppressed=(Suppressed(STYLE.finding("m"), "see the plan"),))
    assert cases(report) == [
        ("mcp-fuzz.fuzz.hang", "fuzz/hang", "error", "no time"),
        ("mcp-fuzz.fuzz.style", "fuzz/style", "skipped", "no style"),
        ("mcp-fuzz.fuzz.crash", "fuzz/crash add(a)", "failure", "It died."),
        ("mcp-fuzz.fuzz.crash", "fuzz/crash sub", "failure", "It died too."),
        ("mcp-fuzz.fuzz.style", "fuzz/style", "skipped", "held back: see the plan"),
        ("mcp-fuzz.run", "the run is complete", "error", "No such host."),
    ]


def test_a_rule_that_passed_is_an_empty_case() -> None:
    assert cases(report_with())[0] == ("mcp-fuzz.fuzz.crash", "fuzz/crash", "", "")


def test_a_failure_says_what_to_do_and_how_to_see_it_again() -> None:
    finding = CRASH.finding("m", hint="Catch it.", evidence={"exitCode": -11}, reproduce={"method": "x"})
    failure = next(ET.fromstring(render_junit(report_with(finding))).iter("failure"))
    assert failure.attrib["type"] == "error"
    assert (failure.text or "").splitlines() == [
        "hint: Catch it.",
        'reproduce: {"method": "x"}',
        "exitCode: -11",
        f"fingerprint: {finding.fingerprint}",
    ]


def test_cases_of_one_report_have_names_of_their_own() -> None:
    made = [CRASH.finding("m", key=str(number)) for number in range(5)]
    names = [case.attrib["name"] for case in ET.fromstring(render_junit(report_with(*made))).iter("testcase")]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("head", [None, Head("BLOCK", Tone.BAD, ("why",))])
def test_the_suite_tells_what_has_no_case(head: Head | None) -> None:
    run = collector()
    run.found(CRASH.finding("m"))
    run.limit(LimitHit("tools", 10, "tools/list"))
    text = ET.fromstring(render_junit(finished(run), head=head)).findtext("testsuite/system-out") or ""
    assert text.splitlines()[0] == ("BLOCK" if head else "INCOMPLETE")
    assert "limit: tools = 10 (tools/list)" in text
    assert "not in full: fuzz/crash: the run ended before this rule had looked at everything" in text
