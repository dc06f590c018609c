"""`fuzz/malformed-response`: what comes back is no JSON-RPC response, or no tool result."""

from collections.abc import Iterator

from mcp_check_core.model.defects import MALFORMED_ANSWER
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_fuzz.facts.call import ToolCalls
from mcp_fuzz.facts.outcome import Outcome
from mcp_fuzz.rules.grouping import deed, group

RULE = Rule(
    id="fuzz/malformed-response",
    title="An answer is no JSON-RPC response or no tool result",
    severity=Severity.ERROR,
    category=Category.RELIABILITY,
    defect=MALFORMED_ANSWER,
    references=("MCP specification, tools: CallToolResult", "JSON-RPC 2.0, response object"),
)

_HINT = "Answer with one line of JSON: the request's id, and a result with a content array or an error."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the calls whose answer a client cannot use."""
    for found in group(facts.ended(Outcome.MALFORMED), cause=lambda call: call.verdict.detail):
        call = found.first
        yield RULE.finding(
            f"The answer to {deed(call)} cannot be used: {call.verdict.detail}.",
            location=found.location,
            hint=_HINT,
            evidence=found.evidence(answer=call.excerpt),
            reproduce=call.case.request,
        )
