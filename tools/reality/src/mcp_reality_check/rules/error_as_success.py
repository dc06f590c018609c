"""`reality/error-as-success`: a success whose text or structured content is an error."""

from collections.abc import Iterator
from dataclasses import replace

from mcp_check_core.judges.disguise import Disguise, Suspicion
from mcp_check_core.judges.stack_trace import stack_trace_at
from mcp_check_core.model.defects import ERROR_AS_SUCCESS
from mcp_check_core.model.finding import Category, Certainty, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import Answer, Purpose, ToolCalls
from mcp_reality_check.rules.suspected import deed, suspected, suspicion_evidence

RULE = Rule(
    id="reality/error-as-success",
    title="A success is an error",
    severity=Severity.ERROR,
    category=Category.FIDELITY,
    defect=ERROR_AS_SUCCESS,
    references=("MCP specification, tools: error handling", "glazperle/kimai_mcp #18"),
)

_HINT = "Set isError: true on a result that tells of a failure; a client hands it to the model as an answer."
_BEFORE_TRACE = 200
"""Characters that may stand before a trace in an answer that is nothing else."""


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the answers that are an error; one finding a tool, the surest call shows it.

    A mere prefix is a hunch, until a call for something that cannot exist proves it.
    """
    found = [(answer, _proved(facts, answer, one)) for answer, one in _suspected(facts)]
    found.sort(key=lambda pair: pair[1].certainty is Certainty.HEURISTIC)
    if not found:
        return
    answer, suspicion = found[0]
    hunch = suspicion.certainty is Certainty.HEURISTIC
    claim = "begins like an error" if hunch else "is an error"
    yield RULE.finding(
        f"The answer to {deed(answer.call)} claims success and {claim}.",
        severity=Severity.WARNING if hunch else None,
        location=facts.location(suspicion.pointer),
        hint=_HINT,
        evidence=suspicion_evidence(answer, suspicion, calls=len(found)),
        reproduce=facts.request(answer.call),
        certainty=suspicion.certainty,
    )


def _suspected(facts: ToolCalls) -> Iterator[tuple[Answer, Suspicion]]:
    yield from suspected(facts, Disguise.ERROR)
    for answer, one in suspected(facts, Disguise.STACK_TRACE):
        start = stack_trace_at(answer.result.text)
        if start is not None and start <= _BEFORE_TRACE and answer.suspicion(Disguise.ERROR) is None:
            yield answer, one


def _proved(facts: ToolCalls, answer: Answer, suspicion: Suspicion) -> Suspicion:
    """Turn a hunch into a proof where a call for something that cannot exist bears it out.

    Either that call gives the same shape, so the answer before it told of a failure too; or it alone gives
    it while other calls of the tool give answers.
    """
    if suspicion.certainty is not Certainty.HEURISTIC:
        return suspicion
    others = [other for other in facts.answers if other is not answer and _differs(other, answer)]
    alike = [other for other in others if _sign(other) == suspicion.reason]
    absent = answer.call.purpose is Purpose.ABSENT
    by_likeness = any(absent or other.call.purpose is Purpose.ABSENT for other in alike)
    by_contrast = absent and any(not other.suspicions for other in others)
    return replace(suspicion, certainty=Certainty.PROVEN) if by_likeness or by_contrast else suspicion


def _differs(one: Answer, other: Answer) -> bool:
    return one.call.input.arguments != other.call.input.arguments


def _sign(answer: Answer) -> str | None:
    suspicion = answer.suspicion(Disguise.ERROR)
    return suspicion.reason if suspicion is not None else None
