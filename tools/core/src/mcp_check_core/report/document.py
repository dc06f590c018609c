"""The JSON document of a report: the envelope and its members, in the order of the contract.

This is the only place that knows both the internal types and the published names.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeVar

from mcp_check_core.model.finding import Category, Certainty, Finding, Location, Severity
from mcp_check_core.model.json_value import Json, json_type
from mcp_check_core.model.report import (
    Coverage,
    Outcome,
    Report,
    RuleResult,
    Score,
    ServerIdentity,
    Suppressed,
    Target,
    Timings,
)

_T = TypeVar("_T", str, int, dict[str, Json])
_E = TypeVar("_E", bound=StrEnum)

_FINGERPRINT = re.compile("[0-9a-f]{16}")
_TYPE_NAMES: dict[type, str] = {str: "a string", int: "an integer", dict: "an object"}
_LOCATION_NAMES = {
    "tool": "tool",
    "parameter": "parameter",
    "pointer": "pointer",
    "file": "file",
    "line": "line",
    "column": "column",
    "end_line": "endLine",
    "end_column": "endColumn",
}


def to_document(report: Report) -> dict[str, Json]:
    """Turn a finished report into the document that is printed.

    Every member of the envelope is there, also where it is null or empty. `report.extra` follows behind it.
    Raises ValueError where a member particular to a tool would hide one that all tools share.
    """
    document: dict[str, Json] = {
        "schemaVersion": report.schema_version,
        "tool": {"name": report.tool, "version": report.tool_version, "core": report.core_version},
        "ok": report.ok,
        "status": report.status.value,
        "target": _target(report.target),
        "score": _score(report.score),
        "coverage": _coverage(report.coverage),
        "rules": [rule_document(result) for result in report.rules],
        "findings": [finding_document(finding) for finding in in_order(report.findings)],
        "suppressed": _suppressed(report.suppressed),
        "limitsHit": [
            {"limit": hit.limit, "value": hit.value, "where": hit.where} for hit in report.limits_hit
        ],
        "errors": [{"kind": error.kind.value, "message": error.message} for error in report.errors],
        "timings": _timings(report.timings),
        "details": dict(report.details),
    }
    return _joined(document, report.extra, "the envelope")


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings as every format shows them: severity, rule, location, fingerprint."""
    return sorted(findings, key=Finding.sort_key)


def is_fingerprint(text: str) -> bool:
    """Tell whether a text has the form of a fingerprint: 16 hex digits, small letters."""
    return _FINGERPRINT.fullmatch(text) is not None


def finding_document(finding: Finding) -> dict[str, Json]:
    """Write one finding; optional members that say nothing are left out, `location` is always there."""
    members: dict[str, Json] = {
        "ruleId": finding.rule_id,
        "kind": finding.kind,
        "severity": finding.severity.value,
        "category": finding.category.value,
        "message": finding.message,
        "hint": finding.hint,
        "location": location_document(finding.location),
        "evidence": dict(finding.evidence) or None,
        "reproduce": finding.reproduce,
        "fingerprint": finding.fingerprint,
        "defect": finding.defect,
        "certainty": finding.certainty.value,
    }
    return {name: value for name, value in members.items() if value is not None}


def location_document(location: Location) -> dict[str, Json]:
    """Write the members of a location that are set."""
    values = ((written, getattr(location, name)) for name, written in _LOCATION_NAMES.items())
    return {written: value for written, value in values if value is not None}


def rule_document(result: RuleResult) -> dict[str, Json]:
    """Write the answer of one rule; `reason`, `judged` and `of` only where they say something."""
    members: dict[str, Json] = {
        "rule": result.rule,
        "outcome": result.outcome.value,
        "reason": result.reason,
        "findings": result.findings,
        "judged": result.judged,
        "of": result.of,
    }
    return {name: value for name, value in members.items() if value is not None}


def answered(results: Iterable[RuleResult]) -> dict[str, bool]:
    """Say of each rule whether it looked at all that it could, so that its silence means something."""
    told: dict[str, bool] = {}
    for result in results:
        full = result.outcome is Outcome.PASS or (result.outcome is Outcome.FAIL and not result.reason)
        told[result.rule] = full and told.get(result.rule, True)
    return told


def milliseconds(value: float) -> float:
    """Round a duration as documents give it: to a tenth of a millisecond."""
    return round(value, 1)


def utc_text(moment: datetime) -> str:
    """Write a moment as ISO 8601 in UTC with milliseconds, such as `2026-11-30T15:42:00.125Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _joined(base: dict[str, Json], more: Mapping[str, Json], where: str) -> dict[str, Json]:
    hidden = sorted(base.keys() & more.keys())
    if hidden:
        raise ValueError(f"{where} already has the members {', '.join(hidden)}")
    return {**base, **more}


def _target(target: Target) -> dict[str, Json]:
    return {
        "kind": target.kind.value,
        "command": None if target.command is None else list(target.command),
        "commandSha256": target.command_sha256,
        "url": target.url,
        "cwd": target.cwd,
        "environment": list(target.environment),
        "server": _server(target.server),
    }


def _server(server: ServerIdentity | None) -> Json:
    if server is None:
        return None
    return {"name": server.name, "version": server.version, "protocol": server.protocol}


def _score(score: Score | None) -> Json:
    if score is None:
        return None
    return {"value": round(score.value, 1), "grade": score.grade, "basis": score.basis}


def _coverage(coverage: Coverage) -> dict[str, Json]:
    base: dict[str, Json] = {
        "toolsTotal": coverage.tools_total,
        "toolsChecked": coverage.tools_checked,
        "skipped": [{"tool": skipped.tool, "reason": skipped.reason} for skipped in coverage.skipped],
    }
    return _joined(base, coverage.counts, "the coverage")


def _suppressed(suppressed: Iterable[Suppressed]) -> list[Json]:
    ordered = sorted(suppressed, key=lambda held: held.finding.sort_key())
    return [{**finding_document(held.finding), "reason": held.reason} for held in ordered]


def _timings(timings: Timings) -> dict[str, Json]:
    return {
        "startedAt": utc_text(timings.started_at),
        "durationMs": milliseconds(timings.duration_ms),
        "phases": {name: milliseconds(value) for name, value in timings.phases.items()},
    }


def finding_from_document(members: Mapping[str, Json]) -> Finding:
    """Read a finding back; its fingerprint is the one that was written.

    Members that this version does not know are left, since a later one may add some. Raises ValueError with
    a JSON pointer if a member is missing or is not what the contract says.
    """
    fingerprint = _required(members, "fingerprint", str, "")
    if not is_fingerprint(fingerprint):
        raise ValueError("/fingerprint is not 16 hex digits")
    return Finding(
        rule_id=_required(members, "ruleId", str, ""),
        severity=_choice(members, "severity", Severity),
        category=_choice(members, "category", Category),
        message=_required(members, "message", str, ""),
        location=_location(_required(members, "location", dict, "")),
        kind=_optional(members, "kind", str, ""),
        hint=_optional(members, "hint", str, ""),
        evidence=_optional(members, "evidence", dict, "") or {},
        reproduce=members.get("reproduce"),
        certainty=_choice(members, "certainty", Certainty),
        defect=_optional(members, "defect", str, ""),
        stored_fingerprint=fingerprint,
    )


def rule_from_document(members: Mapping[str, Json]) -> RuleResult:
    """Read the answer of a rule back. Raises ValueError with a JSON pointer like `finding_from_document`."""
    return RuleResult(
        rule=_required(members, "rule", str, ""),
        outcome=_choice(members, "outcome", Outcome),
        reason=_optional(members, "reason", str, ""),
        findings=_required(members, "findings", int, ""),
        judged=_optional(members, "judged", int, ""),
        of=_optional(members, "of", int, ""),
    )


def _location(members: Mapping[str, Json]) -> Location:
    return Location(
        tool=_optional(members, "tool", str, "/location"),
        parameter=_optional(members, "parameter", str, "/location"),
        pointer=_optional(members, "pointer", str, "/location"),
        file=_optional(members, "file", str, "/location"),
        line=_optional(members, "line", int, "/location"),
        column=_optional(members, "column", int, "/location"),
        end_line=_optional(members, "endLine", int, "/location"),
        end_column=_optional(members, "endColumn", int, "/location"),
    )


def _required(members: Mapping[str, Json], name: str, kind: type[_T], where: str) -> _T:
    value = members.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(  # noqa: TRY004 - a document is wrong, not a call
            f"{where}/{name} is {json_type(value) if name in members else 'missing'}, not {_TYPE_NAMES[kind]}"
        )
    return value


def _optional(members: Mapping[str, Json], name: str, kind: type[_T], where: str) -> _T | None:
    return _required(members, name, kind, where) if name in members else None


def _choice(members: Mapping[str, Json], name: str, values: type[_E]) -> _E:
    text = _required(members, name, str, "")
    try:
        return values(text)
    except ValueError as error:
        raise ValueError(f"/{name} is none of {', '.join(values)}") from error
