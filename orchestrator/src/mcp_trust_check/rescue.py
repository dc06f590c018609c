"""Findings saved from a document that is not what it should be.

What fires in the rest still fires: a missing member never takes a finding away, and counts as the worst
that it could have been.
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import TypeVar

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Category, Certainty, Finding, Location, Severity
from mcp_check_core.model.json_value import Json, canonical_json
from mcp_check_core.report.document import finding_from_document, in_order

_Word = TypeVar("_Word", Severity, Category, Certainty)

_LOST = "Run the tool on its own to see what it has found."
_MOST = 1000
"""Findings that are saved from one document."""


def saved_findings(document: Mapping[str, Json], journal: Iterable[Finding] = ()) -> tuple[Finding, ...]:
    """Save the findings of the document, those of the journal, and one for each failed rule without any."""
    listed = document.get("findings")
    items = listed[:_MOST] if isinstance(listed, list) else []
    found = {finding.fingerprint: finding for finding in map(_finding, items) if finding is not None}
    for finding in journal:
        found.setdefault(finding.fingerprint, finding)
    seen = {finding.rule_id for finding in found.values()}
    return tuple(
        in_order([*found.values(), *(_lost(rule) for rule in _failed(document) if rule not in seen)])
    )


def ended_early(document: Mapping[str, Json]) -> str | None:
    """Say where a run stopped because the server went away for good; None where it did not."""
    match document.get("details"):
        case {"terminatedEarly": None | False}:
            return None
        case {"terminatedEarly": {"tool": str(tool)}}:
            return f"while {cut_text(tool, 100)!r} was called"
        case {"terminatedEarly": _}:
            return "before all was checked"
        case _:
            return None


def _failed(document: Mapping[str, Json]) -> list[str]:
    rows = document.get("rules")
    rules = [
        row["rule"]
        for row in (rows[:_MOST] if isinstance(rows, list) else [])
        if isinstance(row, dict) and row.get("outcome") == "fail" and isinstance(row.get("rule"), str)
    ]
    return [rule for rule in dict.fromkeys(rules) if isinstance(rule, str)]


def _lost(rule: str) -> Finding:
    return Finding(
        rule_id=cut_text(rule, 100),
        severity=Severity.ERROR,
        category=Category.SECURITY,
        message=f"The rule {cut_text(rule, 100)} failed, and its findings are missing from the report.",
        hint=_LOST,
        certainty=Certainty.PROVEN,
        key="findings-missing",
    )


def _finding(item: Json) -> Finding | None:
    if not isinstance(item, dict) or not isinstance(item.get("ruleId"), str):
        return None
    try:
        return finding_from_document(item)
    except ValueError:
        return _mended(item)


def _mended(item: Mapping[str, Json]) -> Finding:
    """Read what is there; severity and category that are not count as the worst."""
    rule = cut_text(str(item.get("ruleId")), 100)
    place = item.get("location")
    return Finding(
        rule_id=rule,
        severity=_one_of(Severity, item.get("severity"), Severity.ERROR),
        category=_one_of(Category, item.get("category"), Category.SECURITY),
        message=_text(item, "message") or f"A finding of {rule} whose message is missing.",
        location=Location(tool=_text(place, "tool"), parameter=_text(place, "parameter")),
        kind=_text(item, "kind"),
        hint=_text(item, "hint") or _LOST,
        certainty=_one_of(Certainty, item.get("certainty"), Certainty.OBSERVED),
        defect=_text(item, "defect"),
        stored_fingerprint=hashlib.sha256(canonical_json(dict(item))).hexdigest()[:16],
    )


def _text(value: object, name: str) -> str | None:
    member = value.get(name) if isinstance(value, Mapping) else None
    return cut_text(member) if isinstance(member, str) and member else None


def _one_of(kind: type[_Word], value: Json, worst: _Word) -> _Word:
    return kind(value) if isinstance(value, str) and value in list(kind) else worst
