"""Redaction of the internal types: findings, targets and whole reports."""

from collections.abc import Mapping
from dataclasses import replace

from mcp_check_core.model.finding import Finding, Location
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Coverage, Report, RuleResult, Target
from mcp_check_core.report.redact import Redactor


def redacted_finding(finding: Finding, redactor: Redactor) -> Finding:
    """Hide secrets in every text of a finding, in the rule's own key too."""
    return replace(
        finding,
        message=redactor.text(finding.message),
        location=_location(finding.location, redactor),
        kind=_text(finding.kind, redactor),
        hint=_text(finding.hint, redactor),
        evidence=_members(finding.evidence, redactor),
        reproduce=redactor.value(finding.reproduce),
        key=redactor.text(finding.key),
    )


def redacted_report(report: Report, redactor: Redactor) -> Report:
    """Hide secrets in everything that a report says."""
    return replace(
        report,
        target=redacted_target(report.target, redactor),
        rules=tuple(_result(result, redactor) for result in report.rules),
        findings=tuple(redacted_finding(finding, redactor) for finding in report.findings),
        suppressed=tuple(
            replace(held, finding=redacted_finding(held.finding, redactor), reason=redactor.text(held.reason))
            for held in report.suppressed
        ),
        score=report.score and replace(report.score, basis=redactor.text(report.score.basis)),
        coverage=_coverage(report.coverage, redactor),
        limits_hit=tuple(
            replace(hit, value=redactor.value(hit.value), where=redactor.text(hit.where))
            for hit in report.limits_hit
        ),
        errors=tuple(replace(error, message=redactor.text(error.message)) for error in report.errors),
        details=_members(report.details, redactor),
        extra=_members(report.extra, redactor),
    )


def redacted_target(target: Target, redactor: Redactor) -> Target:
    """Hide secrets in command, URL, folder and the server's own name for itself.

    `command_sha256` is left: it is made from the redacted command.
    """
    server = target.server
    return replace(
        target,
        command=target.command and tuple(redactor.text(word) for word in target.command),
        url=_text(target.url, redactor),
        cwd=_text(target.cwd, redactor),
        server=server
        and replace(
            server,
            name=_text(server.name, redactor),
            version=_text(server.version, redactor),
            protocol=_text(server.protocol, redactor),
        ),
    )


def _location(location: Location, redactor: Redactor) -> Location:
    return replace(
        location,
        tool=_text(location.tool, redactor),
        parameter=_text(location.parameter, redactor),
        pointer=_text(location.pointer, redactor),
        file=_text(location.file, redactor),
    )


def _coverage(coverage: Coverage, redactor: Redactor) -> Coverage:
    return replace(
        coverage,
        skipped=tuple(
            replace(skipped, tool=redactor.text(skipped.tool), reason=redactor.text(skipped.reason))
            for skipped in coverage.skipped
        ),
        counts=_members(coverage.counts, redactor),
    )


def _result(result: RuleResult, redactor: Redactor) -> RuleResult:
    return replace(result, reason=_text(result.reason, redactor))


def _text(text: str | None, redactor: Redactor) -> str | None:
    return None if text is None else redactor.text(text)


def _members(members: Mapping[str, Json], redactor: Redactor) -> dict[str, Json]:
    hidden = redactor.value(dict(members))
    if not isinstance(hidden, dict):
        raise TypeError("an object stays an object")
    return hidden
