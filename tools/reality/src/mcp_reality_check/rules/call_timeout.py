"""`reality/call-timeout`: a valid call is not answered."""

from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Certainty, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import ToolCalls, evidence
from mcp_reality_check.facts.outcome import Outcome
from mcp_reality_check.rules.suspected import deed

RULE = Rule(
    id="reality/call-timeout",
    title="A valid call is not answered in time",
    severity=Severity.ERROR,
    category=Category.RELIABILITY,
    kinds=("flaky",),
    references=("MCP specification, lifecycle: timeouts",),
)

_HINT = "Bound what the handler waits for and answer with isError: true at the bound; --timeout sets ours."
_OFFLINE = ", while other calls of this server failed for want of the network"


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the first call of a tool that had no answer within the limit of a request.

    Where other calls of the server failed for want of the network, this one may wait for it too.
    """
    waits = list(facts.ended(Outcome.TIMEOUT))
    if not waits:
        return
    call = min(waits, key=lambda one: one.flaky)
    doubtful = facts.offline
    more = f" (seen {call.seen} of {call.tries} times)" if call.flaky else ""
    yield RULE.finding(
        f"There was {call.ending.detail} to {deed(call)}{more}{_OFFLINE if doubtful else ''}.",
        severity=Severity.WARNING if doubtful else None,
        certainty=Certainty.HEURISTIC if doubtful else Certainty.OBSERVED,
        location=facts.location(),
        kind="flaky" if call.flaky else None,
        hint=_HINT,
        evidence=evidence(
            call,
            answersPing=call.alive,
            stderr=call.stderr,
            reproduced=f"{call.seen} of {call.tries}",
            stopped=facts.stopped,
        ),
        reproduce=facts.request(call),
    )
