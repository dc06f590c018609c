"""`reality/error-masked`: an honest error whose structured content breaks the output schema."""

from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_text, cut_value
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import ToolCalls, evidence
from mcp_reality_check.facts.outcome import Outcome
from mcp_reality_check.rules.suspected import deed

RULE = Rule(
    id="reality/error-masked",
    title="The structured content of an error hides the error from strict clients",
    severity=Severity.INFO,
    category=Category.FIDELITY,
    references=("MCP specification, tools: output schema", "yamadashy/repomix #833"),
)

_HINT = "Leave structuredContent out of an error, or make it fit outputSchema; strict clients judge it first."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the first error of a tool that a client which validates every result would not show."""
    for call in facts.ended(Outcome.ERROR):
        result = call.ending.result
        faults = facts.output.faults(result) if result is not None else ()
        if result is not None and faults:
            yield RULE.finding(
                f"The error that answers {deed(call)} has structuredContent that breaks outputSchema.",
                location=facts.location(f"/structuredContent{faults[0].pointer}"),
                hint=_HINT,
                evidence=evidence(
                    call,
                    keyword=faults[0].keyword,
                    error=cut_text(call.ending.detail, 200),
                    structured=cut_value(result.structured),
                ),
                reproduce=facts.request(call),
            )
            return
