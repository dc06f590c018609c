"""Findings on successes that the shared judge doubts: one a tool, the worst call shows it."""

from collections.abc import Callable, Iterator

from mcp_check_core.judges.disguise import Disguise, Suspicion
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Certainty, Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import EXCERPT, Answer, Call, Purpose, ToolCalls, evidence

_DEEDS = {
    Purpose.REALISTIC: "a call with realistic input",
    Purpose.OTHER: "a call with other realistic input",
    Purpose.ABSENT: "a call for something that does not exist",
    Purpose.READ_BACK: "a read after a write",
    Purpose.LIVE: "the call",
}


def deed(call: Call) -> str:
    """Say in words what a call asked for."""
    return _DEEDS[call.purpose]


def suspected(facts: ToolCalls, kind: Disguise) -> Iterator[tuple[Answer, Suspicion]]:
    """Give the answers that are suspected of one kind, with the suspicion."""
    for answer in facts.answers:
        suspicion = answer.suspicion(kind)
        if suspicion is not None:
            yield answer, suspicion


def disguise_finding(
    rule: Rule,
    facts: ToolCalls,
    kind: Disguise,
    message: Callable[[Call], str],
    hint: str,
) -> Iterator[Finding]:
    """Make the one finding of a rule that takes the judge at its word; a hunch of it is a warning at most."""
    found = sorted(suspected(facts, kind), key=lambda pair: pair[1].certainty is Certainty.HEURISTIC)
    if not found:
        return
    answer, suspicion = found[0]
    mild = suspicion.certainty is Certainty.HEURISTIC and rule.severity is Severity.ERROR
    yield rule.finding(
        message(answer.call),
        severity=Severity.WARNING if mild else None,
        location=facts.location(suspicion.pointer),
        hint=hint,
        evidence=suspicion_evidence(answer, suspicion, calls=len(found)),
        reproduce=facts.request(answer.call),
        certainty=suspicion.certainty,
    )


def suspicion_evidence(answer: Answer, suspicion: Suspicion, *, calls: int) -> dict[str, Json]:
    """Give the facts that show a suspicion; `calls` are those of the tool that show the same."""
    return evidence(
        answer.call,
        sign=suspicion.reason,
        response=cut_text(suspicion.excerpt, EXCERPT),
        calls=calls if calls > 1 else None,
    )
