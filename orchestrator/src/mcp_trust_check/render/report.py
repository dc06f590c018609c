"""The merged document as a report and a head, for the formats that all commands share."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.report import (
    Coverage,
    ErrorKind,
    LimitHit,
    Outcome,
    Report,
    RuleResult,
    RunError,
    Score,
    ServerIdentity,
    Skipped,
    Suppressed,
    Target,
    TargetKind,
    Timings,
)
from mcp_check_core.report.document import finding_from_document, rule_from_document
from mcp_check_core.report.head import Head, Tone
from mcp_trust_check.render import sentences
from mcp_trust_check.render.view import Shown, View, read_view

_WORST_FIRST = (Outcome.FAIL, Outcome.ERROR, Outcome.NOT_RUN, Outcome.PASS, Outcome.NOT_APPLICABLE)


def merged_report(document: Mapping[str, Any]) -> Report:
    """Read a merged document that this version has made as a report: each fault once, with all answers."""
    view = read_view(document)
    held = tuple(_held(item) for item in document["suppressed"])
    timings = document["timings"]
    return Report(
        tool=document["tool"]["name"],
        tool_version=document["tool"]["version"],
        core_version=document["tool"]["core"],
        target=_target(document["target"]),
        rules=tuple(_shown(row, view, held) for row in answers(document)),
        findings=tuple(shown.finding for shown in view.findings),
        timings=Timings(datetime.fromisoformat(timings["startedAt"]), timings["durationMs"]),
        score=_score(document["combined"]),
        coverage=_coverage(view),
        suppressed=held,
        limits_hit=tuple(
            LimitHit(hit["limit"], hit["value"], f"{hit['tool']}: {hit['where']}")
            for hit in document["limitsHit"]
        ),
        errors=tuple(_errors(view)),
    )


def merged_head(document: Mapping[str, Any]) -> Head:
    """Make the lines above a merged report: the decision, why, and what was not checked."""
    view = read_view(document)
    confidence = document["confidence"]
    reasons = sentences.reason_texts(view) or [sentences.no_reason(view)]
    lines = [
        *reasons,
        f"Score: {sentences.score_text(view)}",
        f"Confidence: {confidence['level']}: {'; '.join(confidence['reasons'])}",
        f"Exercised: {sentences.coverage_text(view)}",
        f"Findings: {sentences.counts_text(view)}",
        f"Review: {sentences.review_text(view)}",
        f"Gate: {sentences.gate_text(view)}",
        *(f"Not checked: {text}" for text in sentences.not_checked(view)),
    ]
    return Head(view.decision, _tone(view), tuple(lines))


def answers(document: Mapping[str, Any]) -> list[RuleResult]:
    """List the answers of all rules as the tools gave them; of a rule of several tools, the worst one."""
    joined: dict[str, RuleResult] = {}
    for tool in document["tools"].values():
        for item in tool["document"]["rules"] if tool["document"] else ():
            row = rule_from_document(item)
            before = joined.get(row.rule, row)
            joined[row.rule] = min(before, row, key=lambda one: _WORST_FIRST.index(one.outcome))
    return list(joined.values())


def _shown(row: RuleResult, view: View, held: Sequence[Suppressed]) -> RuleResult:
    """Let the answer of a rule agree with the merged findings, where a fault of two rules stands once."""
    if row.outcome is not Outcome.FAIL:
        return row
    count = Counter(shown.finding.rule_id for shown in view.findings)[row.rule]
    if count:
        return replace(row, findings=count)
    if (other := next(_elsewhere(row.rule, view.findings), None)) is not None:
        told = f"what it found is shown under {other.rule_id}"
        return RuleResult(row.rule, Outcome.NOT_APPLICABLE, told)
    if any(one.finding.rule_id == row.rule for one in held):
        return replace(row, outcome=Outcome.NOT_RUN if row.reason else Outcome.PASS, findings=0)
    return row


def _elsewhere(rule: str, findings: Sequence[Shown]) -> Iterator[Finding]:
    """Find the merged findings that stand for one of this rule."""
    for shown in findings:
        if any(seen == rule for _, seen, _ in shown.seen_by):
            yield shown.finding


def _target(members: Mapping[str, Any]) -> Target:
    server = members["server"]
    return Target(
        kind=TargetKind(members["kind"]),
        command=None if members["command"] is None else tuple(members["command"]),
        command_sha256=members["commandSha256"],
        url=members["url"],
        cwd=members["cwd"],
        environment=tuple(members["environment"]),
        server=None if server is None else ServerIdentity(*(server.get(name) for name in _SERVER)),
    )


_SERVER = ("name", "version", "protocol")


def _score(combined: Mapping[str, Any]) -> Score | None:
    if combined["value"] is None:
        return None
    return Score(combined["value"], f"the mean of {' and '.join(combined['over'])}")


def _coverage(view: View) -> Coverage:
    """Count the tools that fuzz exercised, and name the checkers that did not run beside those left out."""
    left = [
        Skipped(tool["command"], f"this checker did not run: {tool['reason']}")
        for tool in view.in_state("skipped", "not_in_this_version").values()
    ]
    fuzz = view.document["tools"]["fuzz"]["document"]
    if fuzz is None:
        return Coverage(skipped=tuple(left))
    known = fuzz["coverage"]
    left += [Skipped(item["tool"], item["reason"]) for item in known["skipped"]]
    return Coverage(known["toolsTotal"], known["toolsChecked"], tuple(left))


def _errors(view: View) -> Iterator[RunError]:
    for short, tool in view.in_state("incomplete").items():
        yield RunError(_kind(view, short, tool), f"{tool['command']} did not finish: {tool['reason']}")


def _kind(view: View, short: str, tool: Mapping[str, Any]) -> ErrorKind:
    if view.document["interrupted"]:
        return ErrorKind.INTERRUPTED
    for error in tool["document"]["errors"] if tool["document"] else ():
        return ErrorKind(error["kind"])
    over = any(hit["tool"] == short for hit in view.document["limitsHit"])
    return ErrorKind.LIMIT if over else ErrorKind.INTERNAL


def _held(item: Mapping[str, Any]) -> Suppressed:
    return Suppressed(finding_from_document(item), item["reason"])


def _tone(view: View) -> Tone:
    if view.decision == "SHIP":
        return Tone.UNKNOWN if view.document["confidence"]["level"] == "LOW" else Tone.GOOD
    return Tone.BAD if view.decision == "BLOCK" else Tone.FAIR
