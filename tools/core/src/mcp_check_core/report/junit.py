"""The report as JUnit XML: one suite for the tool, one case for each rule, or for each finding of a rule.

The elements and attributes are those that Jenkins (junit-10.xsd) and its kin read. A finding of whatever
severity is a failure, with the severity as its type; the gate of the command is its exit code.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding
from mcp_check_core.model.report import Outcome, Report, RuleResult, Suppressed
from mcp_check_core.report import wording
from mcp_check_core.report.document import in_order
from mcp_check_core.report.head import Head, head_of
from mcp_check_core.report.sanitise import visible, visible_lines

_ELEMENTS = {Outcome.NOT_APPLICABLE: "skipped", Outcome.NOT_RUN: "error", Outcome.ERROR: "error"}


@dataclass(frozen=True, slots=True)
class _Case:
    """A test case: the rule, its name, and the element in it (None: it passed) with type, message, text."""

    rule: str
    name: str
    element: str | None = None
    kind: str = ""
    message: str = ""
    text: str = ""


def render_junit(report: Report, *, head: Head | None = None) -> bytes:
    """Write a report as XML in UTF-8. A program that merges reports gives its own `head`."""
    cases = list(_cases(report))
    counts = {
        "tests": str(len(cases)),
        **{
            name: str(sum(case.element == element for case in cases))
            for name, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
        },
        "time": f"{report.timings.duration_ms / 1000:.3f}",
    }
    root = ET.Element("testsuites", {"name": visible(report.tool), **counts})
    started = report.timings.started_at.strftime("%Y-%m-%dT%H:%M:%S")
    suite = ET.SubElement(root, "testsuite", {"name": visible(report.tool), **counts, "timestamp": started})
    properties = ET.SubElement(suite, "properties")
    for name, value in _properties(report):
        ET.SubElement(properties, "property", {"name": name, "value": visible(value)})
    for case in cases:
        _write(suite, case, report.tool)
    ET.SubElement(suite, "system-out").text = _lines(report, head or head_of(report))
    ET.indent(root)
    written: bytes = ET.tostring(root, encoding="UTF-8", xml_declaration=True)
    return written + b"\n"


def _cases(report: Report) -> Iterator[_Case]:
    with_findings = {finding.rule_id for finding in report.findings}
    for result in report.rules:
        if result.rule not in with_findings:
            yield _rule_case(result)
    for finding in in_order(report.findings):
        yield _failure(finding)
    for held in sorted(report.suppressed, key=lambda held: held.finding.sort_key()):
        yield _held(held)
    for error in report.errors:
        yield _Case("run", "the run is complete", "error", error.kind.value, _bounded(error.message))


def _rule_case(result: RuleResult) -> _Case:
    element = _ELEMENTS.get(result.outcome)
    if element is None:
        return _Case(result.rule, result.rule)
    reason = _bounded(result.reason or result.outcome.value)
    return _Case(result.rule, result.rule, element, result.outcome.value, reason)


def _failure(finding: Finding) -> _Case:
    lines = [f"hint: {_bounded(finding.hint)}"] if finding.hint else []
    if again := wording.reproduce_text(finding):
        lines.append(f"reproduce: {visible(again)}")
    lines += [f"{visible(name)}: {visible_lines(value)}" for name, value in wording.evidence_items(finding)]
    lines.append(f"fingerprint: {finding.fingerprint}")
    text = "\n".join(lines)
    return _Case(
        finding.rule_id, _name(finding), "failure", finding.severity.value, _bounded(finding.message), text
    )


def _held(held: Suppressed) -> _Case:
    reason = f"held back: {_bounded(held.reason)}"
    return _Case(held.finding.rule_id, _name(held.finding), "skipped", "suppressed", reason)


def _name(finding: Finding) -> str:
    """Name a case so that no two of one report are called the same."""
    where = visible(wording.place(finding.location))
    title = f"{wording.rule_text(finding)} {where}".strip()
    return f"{visible(title)} [{finding.fingerprint}]"


def _write(suite: ET.Element, case: _Case, tool: str) -> None:
    classname = f"{tool}.{case.rule.replace('/', '.')}"
    attributes = {"name": visible(case.name), "classname": visible(classname), "time": "0.000"}
    written = ET.SubElement(suite, "testcase", attributes)
    if case.element is not None:
        inner = ET.SubElement(written, case.element, {"type": case.kind, "message": case.message})
        inner.text = case.text or None


def _properties(report: Report) -> Iterator[tuple[str, str]]:
    yield "version", report.tool_version
    yield "target", wording.target_text(report.target)
    yield "status", report.status.value
    if report.score is not None:
        yield "score", f"{report.score.value:.1f}"


def _lines(report: Report, head: Head) -> str:
    lines = [head.verdict, *head.lines]
    lines += [f"limit: {wording.limit_text(hit)}" for hit in report.limits_hit]
    lines += [f"not in full: {wording.reason_text(result)}" for result in wording.unanswered(report)]
    return visible_lines("\n".join(visible(line) for line in lines))


def _bounded(text: str) -> str:
    return visible(cut_text(text, wording.MESSAGE_BOUND))
