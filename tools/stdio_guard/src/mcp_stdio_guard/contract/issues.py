"""The issues of the report, and what they come to: derived from findings alone."""

from collections.abc import Sequence

from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_stdio_guard.contract.outcome import code_of
from mcp_stdio_guard.registry import declared_of
from mcp_stdio_guard.rules.declare import IssueClass

_DISPLAY = {
    "pass": "verified",
    "warning": "verified with warnings",
    "needs_inspection": "runtime or install issue; inspect before presenting as protocol failure",
    "fail": "stdio transport or MCP protocol failure",
}
_COLOURS = {"pass": "brightgreen", "warning": "yellow", "needs_inspection": "orange", "fail": "red"}
_BADGE = {"pass": "verified", "warning": "warnings", "needs_inspection": "inspect", "fail": "failing"}


def issue(finding: Finding, *, run: int | None = None) -> dict[str, Json]:
    """Write one finding as an issue."""
    detail, number = finding.evidence.get("detailCode"), finding.evidence.get("run", run)
    spawn = finding.evidence.get("code") if code_of(finding) == "spawn-failed" else None
    members: dict[str, Json] = {
        "class": class_of(finding).value,
        "severity": finding.severity.value,
        "code": code_of(finding),
        "message": finding.message,
        "detailCode": detail,
        "spawnErrorCode": spawn,
        "run": number,
    }
    return {name: value for name, value in members.items() if value is not None}


def class_of(finding: Finding) -> IssueClass:
    """Give the class of a finding's code."""
    return declared_of(finding.rule_id).issue_class


def issue_classes(findings: Sequence[Finding]) -> dict[str, Json]:
    """Say of each class its status and codes."""
    return {one.value: _class(one, findings) for one in IssueClass}


def _class(issue_class: IssueClass, findings: Sequence[Finding]) -> Json:
    found = [finding for finding in findings if class_of(finding) is issue_class]
    return {"status": worst(found), "issueCodes": codes(found)}


def worst(findings: Sequence[Finding]) -> str:
    """Give `fail`, `warning` or `pass`."""
    severities = {finding.severity for finding in findings}
    if Severity.ERROR in severities:
        return "fail"
    return "warning" if Severity.WARNING in severities else "pass"


def codes(findings: Sequence[Finding]) -> list[Json]:
    """List the codes of findings once each, worst first."""
    return list(dict.fromkeys(code_of(finding) for finding in findings))


def summary(findings: Sequence[Finding], *, complete: bool) -> dict[str, Json]:
    """Sum up. `needs_inspection`: the only errors are of install or run time, or the run was incomplete."""
    told = [finding for finding in findings if finding.severity is not Severity.INFO]
    errors = [finding for finding in told if finding.severity is Severity.ERROR]
    status = _status(errors, told, complete=complete)
    classes = sorted({class_of(finding).value for finding in errors or told})
    first = told[0] if told else None
    return {
        "status": status,
        "issueClass": classes[0] if len(classes) == 1 else ("mixed" if classes else ""),
        "primaryIssueCode": code_of(first) if first else "",
        "primaryIssueClass": class_of(first).value if first else "",
        "issueCounts": {"error": len(errors), "warning": len(told) - len(errors), "total": len(findings)},
        "badge": {"label": "mcp stdio", "message": _BADGE[status], "color": _COLOURS[status]},
        "display": _DISPLAY[status],
    }


def _status(errors: Sequence[Finding], told: Sequence[Finding], *, complete: bool) -> str:
    if any(class_of(finding) is not IssueClass.INSTALL_RUNTIME for finding in errors):
        return "fail"
    if errors or not complete:
        return "needs_inspection"
    return "warning" if told else "pass"
