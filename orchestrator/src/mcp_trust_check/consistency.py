"""Contradictions of a document with itself: what a schema cannot see, and what would hide a fault."""

from collections import Counter
from collections.abc import Iterator, Mapping

from mcp_check_core.model.json_value import Json

_UNANSWERED = ("not_run", "error")


def announced_rules(schema: Mapping[str, Json]) -> tuple[str, ...]:
    """List the rules that a tool's schema announces, in order."""
    match schema:
        case {"properties": {"rules": {"prefixItems": list(items)}}}:
            return tuple(_announced(items))
        case _:
            return ()


def unanswered(document: Mapping[str, Json]) -> dict[str, list[str]]:
    """List the rules that were meant to look and did not, or could not tell, by their reason."""
    by_reason: dict[str, list[str]] = {}
    for row in _rows(document):
        if row.get("outcome") in _UNANSWERED:
            by_reason.setdefault(str(row.get("reason")), []).append(str(row.get("rule")))
    return by_reason


def contradictions(document: Mapping[str, Json], schema: Mapping[str, Json]) -> list[str]:
    """Say where a document that fits its schema contradicts itself, a sentence each."""
    return [
        *_missing_answers(document, schema),
        *_rows_against_findings(document),
        *_status(document),
        *_missing_score(document),
    ]


def _missing_answers(document: Mapping[str, Json], schema: Mapping[str, Json]) -> Iterator[str]:
    answered = Counter(row.get("rule") for row in _rows(document))
    for rule in announced_rules(schema):
        if answered[rule] != 1:
            yield f"the rule {rule} was announced and answered {answered[rule]} times"


def _rows_against_findings(document: Mapping[str, Json]) -> Iterator[str]:
    listed = Counter(finding.get("ruleId") for finding in _findings(document))
    for row in _rows(document):
        rule, outcome, count = row.get("rule"), row.get("outcome"), row.get("findings")
        if outcome == "fail" and not listed[rule]:
            yield f"the rule {rule} failed, and its findings are missing"
        elif count != listed[rule]:
            yield f"the rule {rule} counts {count} findings, and {listed[rule]} are there"
        elif listed[rule] and outcome != "fail":
            yield f"the rule {rule} has findings and did not fail"


def _status(document: Mapping[str, Json]) -> Iterator[str]:
    severities = {finding.get("severity") for finding in _findings(document)}
    wanted = "fail" if "error" in severities else "warning" if "warning" in severities else "pass"
    if unanswered(document) or document.get("errors"):
        wanted = "incomplete"
    if document.get("status") != wanted:
        yield f"its status is {document.get('status')}, and what it holds makes {wanted}"


def _missing_score(document: Mapping[str, Json]) -> Iterator[str]:
    match document:
        case {
            "status": "pass" | "warning" | "fail",
            "score": None,
            "coverage": {"toolsChecked": int(checked)},
        }:
            if checked > 0:
                yield f"it has no score, and {checked} tools were checked"


def _rows(document: Mapping[str, Json]) -> list[dict[str, Json]]:
    return _objects(document.get("rules"))


def _findings(document: Mapping[str, Json]) -> list[dict[str, Json]]:
    return _objects(document.get("findings"))


def _objects(value: Json) -> list[dict[str, Json]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _announced(items: list[Json]) -> Iterator[str]:
    for item in items:
        match item:
            case {"properties": {"rule": {"const": str(rule)}}}:
                yield rule
