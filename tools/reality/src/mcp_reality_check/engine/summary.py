"""Score, coverage and details: what a run was, in numbers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.grade import percentage
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Coverage, Score, Skipped
from mcp_reality_check.engine.plan import Plan, RealityOptions
from mcp_reality_check.facts.call import Answer, ToolCalls
from mcp_reality_check.facts.outcome import Outcome
from mcp_reality_check.registry import ANSWER_RULES

_LISTED = 200
"""Rows of one list in details."""


@dataclass(frozen=True, slots=True)
class TerminatedEarly:
    """A run that could not go on because the server was not reached again: which tool was next, and why."""

    tool: str
    reason: str


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known of a run at any moment."""

    options: RealityOptions
    plan: Plan = field(default_factory=Plan)
    results: tuple[ToolCalls, ...] = ()
    left_out: tuple[Skipped, ...] = ()
    tools_total: int = 0
    listing: str | None = None
    starts: int = 0
    count: int = 0
    repeated: int = 0
    terminated: TerminatedEarly | None = None

    @property
    def answers(self) -> Iterator[tuple[ToolCalls, Answer]]:
        """The successes that were judged, with their tools."""
        return ((result, answer) for result in self.results for answer in result.answers)


def make_score(facts: RunFacts) -> Score | None:
    """Give the judged successes without an error or warning, of all; None where there was none."""
    total = sum(1 for _ in facts.answers)
    if not total:
        return None
    real = sum(not _doubted(_alone(result, answer)) for result, answer in facts.answers)
    return Score(percentage(real, total), f"{real} of {total} answers that claim success are real")


def _alone(result: ToolCalls, answer: Answer) -> Iterator[Finding]:
    """Judge one answer as if the tool had given no other, but for what proves a hunch."""
    for module in ANSWER_RULES:
        yield from module.check(result.about(answer))


def _doubted(findings: Iterable[Finding]) -> bool:
    return any(finding.severity in (Severity.ERROR, Severity.WARNING) for finding in findings)


def make_coverage(facts: RunFacts) -> Coverage:
    """Count the tools that were exercised, and name each other one with the reason."""
    results = {result.tool.label: result for result in facts.results}
    reasons = {item.tool: item.reason for item in facts.left_out}
    skipped = list(facts.plan.skipped)
    for tool in facts.plan.tools:
        reason = _not_exercised(results.get(tool.label), reasons.get(tool.label))
        if reason is not None:
            skipped.append(Skipped(tool.label, reason))
    return Coverage(
        tools_total=facts.tools_total,
        tools_checked=facts.tools_total - len(skipped),
        skipped=tuple(skipped),
        counts={
            "toolsAnswered": sum(bool(result.answers) for result in facts.results),
        },
    )


def make_details(facts: RunFacts) -> dict[str, Json]:
    """Write what is particular to this tool."""
    return {
        "options": {
            "includeDestructive": facts.options.include_destructive,
            "fixtures": facts.options.probes is not None,
            "seed": facts.options.seed,
            "maxCalls": facts.options.max_calls,
        },
        "starts": facts.starts,
        "calls": facts.count,
        "repeatedCalls": facts.repeated,
        "judged": sum(1 for _ in facts.answers),
        "listing": facts.listing,
        "inputs": _rows(_inputs(facts.results)),
        "outcomes": _rows(_outcomes(facts.results)),
        "errors": _rows(_errors(facts.results)),
        "environment": _rows(_environment(facts.results)),
        "leftOut": _rows(
            {"tool": item.tool, "reason": cut_text(item.reason, 300)} for item in facts.left_out
        ),
        "schemaNotJudgeable": _rows(_unjudged(facts.results)),
        "notCalledAgain": _rows(_stopped(facts.results)),
        "terminatedEarly": None
        if facts.terminated is None
        else {"tool": facts.terminated.tool, "reason": facts.terminated.reason},
    }


def _not_exercised(result: ToolCalls | None, left_out: str | None) -> str | None:
    if result is None or not result.calls:
        return f"no call was made: {left_out}" if left_out else "no call was made"
    if result.exercised:
        return None
    wanting = {call.ending.environment.wanted for call in result.calls if call.ending.environment is not None}
    if wanting:
        return f"every call failed for want of {' and '.join(sorted(wanting))}"
    return f"no call got an answer that can be read: {result.calls[0].ending.detail}"


def _rows(rows: Iterator[dict[str, Json]]) -> list[Json]:
    """Keep the first rows of a list, and say how many there were where it is longer."""
    kept: list[Json] = list(rows)
    if len(kept) > _LISTED:
        return [*kept[:_LISTED], {"more": len(kept) - _LISTED}]
    return kept


def _inputs(results: Sequence[ToolCalls]) -> Iterator[dict[str, Json]]:
    for result in results:
        for call in result.calls:
            sources: dict[str, Json] = {
                name: cut_text(text, 200) for name, text in call.input.sources.items()
            }
            yield {
                "tool": result.tool.label,
                "case": call.purpose.value,
                "outcome": call.outcome.value,
                "sources": dict(list(sources.items())[:50]),
            }


def _outcomes(results: Sequence[ToolCalls]) -> Iterator[dict[str, Json]]:
    for result in results:
        counts = Counter(call.outcome for call in result.calls)
        seen: dict[str, Json] = {kind.value: counts[kind] for kind in Outcome if counts[kind]}
        yield {"tool": result.tool.label, "outcomes": seen}


def _errors(results: Sequence[ToolCalls]) -> Iterator[dict[str, Json]]:
    for result in results:
        for call in result.ended(Outcome.ERROR):
            yield {
                "tool": result.tool.label,
                "case": call.purpose.value,
                "answer": cut_text(call.ending.detail, 200),
            }


def _environment(results: Sequence[ToolCalls]) -> Iterator[dict[str, Json]]:
    for result in results:
        kinds = [call.ending.environment for call in result.calls if call.ending.environment is not None]
        for kind, count in Counter(kinds).items():
            yield {"tool": result.tool.label, "wanting": kind.wanted, "calls": count}


def _unjudged(results: Sequence[ToolCalls]) -> Iterator[dict[str, Json]]:
    for result in results:
        if result.output.problem is not None:
            yield {"tool": result.tool.label, "reason": cut_text(result.output.problem, 300)}


def _stopped(results: Sequence[ToolCalls]) -> Iterator[dict[str, Json]]:
    for result in results:
        if result.stopped is not None:
            yield {"tool": result.tool.label, "reason": result.stopped}
