"""Score, coverage and details: what a run was, in numbers."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.grade import percentage
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Coverage, Score, Skipped
from mcp_fuzz.engine.plan import FuzzOptions, Plan
from mcp_fuzz.facts.call import Call, ToolCalls
from mcp_fuzz.facts.case import Phase, Validity
from mcp_fuzz.facts.outcome import Outcome

NOT_IN_THIS_VERSION = (
    "constraint: each stated constraint broken by one",
    "null-default: the null that a schema states as default",
    "unknown-argument: one undeclared property",
    "odd values: empty, long, control and right-to-left text, numeric edges",
    "canaries: strings whose evaluation would show",
    "random: draws from the schema, shrunk",
    "concurrency and lifecycle of resources",
    "claims: what annotations promise against what is seen",
    "latency and response size of one tool against the others",
)
"""What this version does not do yet; each report names it, so that nobody takes it for checked."""
_NO_GATE = "not measured against the other tools in this version"
_LISTED = 200
"""Rows of one list in details."""


@dataclass(frozen=True, slots=True)
class TerminatedEarly:
    """A run that could not go on because the server was not reached again: which tool and case was next."""

    tool: str
    case: str
    reason: str


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known of a run at any moment."""

    options: FuzzOptions
    plan: Plan
    results: tuple[ToolCalls, ...]
    tools_total: int = 0
    listing: str | None = None
    starts: int = 0
    repeated: int = 0
    terminated: TerminatedEarly | None = None

    @property
    def calls(self) -> Iterator[Call]:
        """The calls that say something of the server."""
        return (call for tool in self.results for call in tool.calls if call.outcome is not Outcome.STOPPED)


def make_score(facts: RunFacts) -> Score | None:
    """Crash resilience: the calls that ended in an orderly way of those that could be judged.

    None without such a call, and where all of them were refusals while no tool was exercised.
    """
    calls = [call for call in facts.calls if call.verdict.environment is None]
    if why_no_score(facts) is not None:
        return None
    orderly = sum(call.verdict.orderly for call in calls)
    return Score(percentage(orderly, len(calls)), f"{orderly} of {len(calls)} calls ended in an orderly way")


def why_no_score(facts: RunFacts) -> str | None:
    """Say why there is nothing that a score could be made of; None where there is."""
    calls = list(facts.calls)
    if not calls:
        return "no call was made"
    judged = [call for call in calls if call.verdict.environment is None]
    if any(result.exercised for result in facts.results) or any(not call.verdict.orderly for call in judged):
        return None
    reasons = dict.fromkeys(_not_exercised(result, ()) for result in facts.results)
    return f"no tool was exercised: {'; '.join(filter(None, reasons))}"


def make_coverage(facts: RunFacts) -> Coverage:
    """Count the tools that were exercised, and name each other one with the reason."""
    results = {result.tool: result for result in facts.results}
    skipped = list(facts.plan.skipped)
    for plan in facts.plan.tools:
        reason = _not_exercised(results.get(plan.tool), [item.reason for item in plan.left_out])
        if reason is not None:
            skipped.append(Skipped(plan.tool, reason))
    return Coverage(
        tools_total=facts.tools_total,
        tools_checked=facts.tools_total - len(skipped),
        skipped=tuple(skipped),
        counts={"casesPlanned": facts.plan.cases, "phasesNotInThisVersion": list(NOT_IN_THIS_VERSION)},
    )


def make_details(facts: RunFacts) -> dict[str, Json]:
    """Write what is particular to this tool."""
    results = facts.results
    return {
        "options": {
            "includeDestructive": facts.options.include_destructive,
            "depth": facts.options.depth.value,
            "seed": facts.options.seed,
            "maxCalls": facts.options.max_calls,
        },
        "starts": facts.starts,
        "calls": sum(len(tool.calls) for tool in results),
        "repeatedCalls": facts.repeated,
        "listing": facts.listing,
        "notScored": why_no_score(facts),
        "outcomes": _rows(_outcomes(results)),
        "validErrors": _rows(_valid_errors(results)),
        "environment": _rows(_environment(results)),
        "leftOut": _rows(_left_out(facts.plan)),
        "schemaNotJudgeable": _rows(_unjudged(facts.plan)),
        "notCalledAgain": _rows(_stopped(results)),
        "terminatedEarly": _terminated(facts.terminated),
        "latency": {"score": None, "flagged": [], "reason": _NO_GATE},
        "responseSize": {"score": None, "flagged": [], "reason": _NO_GATE},
        "tokenEstimate": _tokens(facts),
        "notInThisVersion": list(NOT_IN_THIS_VERSION),
    }


def _not_exercised(result: ToolCalls | None, left_out: Sequence[str]) -> str | None:
    if result is None or not result.calls:
        return f"no call was made: {left_out[0]}" if left_out else "no call was made"
    if result.exercised:
        return None
    if any(call.verdict.disguised and call.verdict.environment is None for call in result.calls):
        return "its answers are failures that call themselves successes"
    if result.wanting:
        return f"every call failed for want of {' and '.join(sorted(result.wanting))}"
    return "no call got an orderly answer"


def _rows(rows: Iterator[dict[str, Json]]) -> list[Json]:
    """Keep the first rows of a list, and say how many there were where it is longer."""
    kept: list[Json] = list(rows)
    if len(kept) > _LISTED:
        return [*kept[:_LISTED], {"more": len(kept) - _LISTED}]
    return kept


def _outcomes(results: Sequence[ToolCalls]) -> Iterator[dict[str, Json]]:
    for result in results:
        for phase in Phase:
            counts = Counter(call.outcome for call in result.calls if call.case.phase is phase)
            if counts:
                seen: dict[str, Json] = {kind.value: counts[kind] for kind in Outcome if counts[kind]}
                yield {"tool": result.tool, "phase": phase.value, "outcomes": seen}


def _valid_errors(results: Sequence[ToolCalls]) -> Iterator[dict[str, Json]]:
    for call in (call for result in results for call in result.calls):
        if call.case.phase is Phase.VALID and call.outcome is Outcome.REJECTED:
            yield {
                "tool": call.case.tool,
                "case": call.case.label,
                "answer": cut_text(call.verdict.detail, 200),
            }


def _environment(results: Sequence[ToolCalls]) -> Iterator[dict[str, Json]]:
    for result in results:
        for wanting in result.wanting:
            count = sum(call.verdict.environment == wanting for call in result.calls)
            yield {"tool": result.tool, "wanting": wanting, "calls": count}


def _left_out(plan: Plan) -> Iterator[dict[str, Json]]:
    for item in (item for tool in plan.tools for item in tool.left_out):
        yield {"tool": item.tool, "cases": item.cases, "reason": cut_text(item.reason, 300)}


def _unjudged(plan: Plan) -> Iterator[dict[str, Json]]:
    for tool in plan.tools:
        if tool.unjudged is not None:
            yield {"tool": tool.tool, "reason": cut_text(tool.unjudged, 300)}


def _stopped(results: Sequence[ToolCalls]) -> Iterator[dict[str, Json]]:
    for result in results:
        if result.stopped is not None:
            yield {"tool": result.tool, "reason": result.stopped}


def _terminated(early: TerminatedEarly | None) -> Json:
    return None if early is None else {"tool": early.tool, "case": early.case, "reason": early.reason}


def _tokens(facts: RunFacts) -> Json:
    """Estimate the tokens of the answers to valid calls: characters divided by 4."""
    valid = [
        call for call in facts.calls if call.case.validity is Validity.VALID and call.outcome is Outcome.OK
    ]
    if not valid:
        return None
    total = sum(call.characters for call in valid) / 4
    return {"total": round(total), "perCall": round(total / len(valid), 1)}
