"""`fuzz/response-too-large`: an answer is over a byte limit of the client."""

from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_fuzz.facts.call import ToolCalls
from mcp_fuzz.facts.outcome import Outcome
from mcp_fuzz.rules.grouping import deed, group

RULE = Rule(
    id="fuzz/response-too-large",
    title="An answer is larger than a client reads",
    severity=Severity.WARNING,
    category=Category.EFFICIENCY,
    references=("MCP specification, tools: security considerations",),
    cwe=(770,),
)

_HINT = "Cut or page what the tool returns, and say in the answer that there is more."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the calls whose answer went over the limit of a line, or of a server's whole output."""
    for found in group(facts.ended(Outcome.TOO_LARGE), cause=lambda call: call.outcome):
        call = found.first
        yield RULE.finding(
            f"The server answers {deed(call)} with {call.verdict.detail}, which is not read.",
            location=found.location,
            hint=_HINT,
            evidence=found.evidence(bytes=call.size or None),
            reproduce=call.case.request,
        )
