"""`fuzz/timeout`: a call is not answered."""

from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_fuzz.facts.call import ToolCalls
from mcp_fuzz.facts.outcome import Outcome
from mcp_fuzz.rules.grouping import deed, group

RULE = Rule(
    id="fuzz/timeout",
    title="A call is not answered in time",
    severity=Severity.ERROR,
    category=Category.RELIABILITY,
    kinds=("flaky",),
    references=("MCP specification, lifecycle: timeouts",),
)

_HINT = "Bound what the handler waits for and answer with isError: true at the bound; --timeout sets ours."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the calls that had no answer within the limit of a request."""
    for found in group(facts.ended(Outcome.TIMEOUT)):
        call = found.first
        more = f" (seen {call.seen} of {call.tries} times)" if call.flaky else ""
        yield RULE.finding(
            f"There was {call.verdict.detail} to {deed(call)}{more}.",
            location=found.location,
            kind="flaky" if call.flaky else None,
            hint=_HINT,
            evidence=found.evidence(
                answersPing=call.alive,
                stderr=call.stderr,
                reproduced=f"{call.seen} of {call.tries}",
                stopped=facts.stopped,
            ),
            reproduce=call.case.request,
        )
