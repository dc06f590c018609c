"""`reality/call-crashed`: a valid call ended the server."""

from collections.abc import Iterator

from mcp_check_core.model.defects import SERVER_DEATH
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import Call, ToolCalls, evidence
from mcp_reality_check.facts.outcome import Outcome
from mcp_reality_check.rules.suspected import deed

RULE = Rule(
    id="reality/call-crashed",
    title="A valid call ends the server",
    severity=Severity.ERROR,
    category=Category.RELIABILITY,
    kinds=("flaky",),
    defect=SERVER_DEATH,
    references=("MCP specification, tools: error handling",),
)

_HINT = "Catch what the handler raises and answer with isError: true; one call must not end the session."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the first call of a tool after which the process was gone or its output closed."""
    crashes = list(facts.ended(Outcome.CRASH))
    if not crashes:
        return
    call = min(crashes, key=lambda one: one.flaky)
    yield RULE.finding(
        f"{_told(call)}{f' (seen {call.seen} of {call.tries} times)' if call.flaky else ''}.",
        location=facts.location(),
        kind="flaky" if call.flaky else None,
        hint=_HINT,
        evidence=evidence(call, **call.death, stderr=call.stderr, reproduced=f"{call.seen} of {call.tries}"),
        reproduce=facts.request(call),
    )


def _told(call: Call) -> str:
    """Say what was seen, no more than that."""
    if call.after_answer:
        return f"The server {_end(call)} after it had answered {deed(call)}"
    if call.waited:
        return f"The server did not answer {deed(call)} and {_end(call)} at the next request"
    return f"The server {_end(call)} on {deed(call)}"


def _end(call: Call) -> str:
    if call.death.get("exitCode") is not None:
        return f"ended with exit code {call.death['exitCode']}"
    if call.death.get("signal") is not None:
        return f"ended by signal {call.death['signal']}"
    return "closed its output and kept running" if call.death.get("running") else "closed the connection"
