"""`fuzz/timeout`: a call is not answered."""

from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_fuzz.facts.call import Call, ToolCalls
from mcp_fuzz.facts.outcome import Outcome
from mcp_fuzz.rules.grouping import deed, group

RULE = Rule(
    id="fuzz/timeout",
    title="A call is not answered in time",
    severity=Severity.ERROR,
    category=Category.RELIABILITY,
    kinds=("flaky", "offline"),
    references=("MCP specification, lifecycle: timeouts",),
)

_HINT = "Bound what the handler waits for and answer with isError: true at the bound; --timeout sets ours."
_OFFLINE = "; other calls of this server failed for want of the network, which may be why"


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the calls that had no answer within the limit of a request.

    One that failed for want of something around the server when it was made again is none. It is a warning
    where it did not come each time, or the network is missing.
    """
    hung = (call for call in facts.ended(Outcome.TIMEOUT) if call.verdict.environment is None)
    for found in group(hung, cause=lambda call: call.alive):
        call = found.first
        more = f" (seen {call.seen} of {call.tries} times)" if call.flaky else ""
        yield RULE.finding(
            f"There was {call.verdict.detail} to {deed(call)}{more}{_OFFLINE if call.offline else ''}.",
            location=found.location,
            kind=_kind(call),
            severity=Severity.WARNING if _kind(call) else None,
            hint=_HINT,
            evidence=found.evidence(
                answersPing=call.alive,
                stderr=call.stderr,
                reproduced=f"{call.seen} of {call.tries}",
                stopped=facts.stopped,
            ),
            reproduce=call.case.request,
        )


def _kind(call: Call) -> str | None:
    if call.flaky:
        return "flaky"
    return "offline" if call.offline else None
