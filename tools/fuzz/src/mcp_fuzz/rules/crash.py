"""`fuzz/crash`: a call, or the list of tools, ended the server."""

from collections.abc import Iterator

from mcp_check_core.model.defects import SERVER_DEATH
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.json_value import canonical_json
from mcp_check_core.model.rule import Rule
from mcp_fuzz.facts.call import Call, ToolCalls
from mcp_fuzz.facts.outcome import Outcome
from mcp_fuzz.rules.grouping import deed, group

RULE = Rule(
    id="fuzz/crash",
    title="A call ends the server",
    severity=Severity.ERROR,
    category=Category.RELIABILITY,
    kinds=("flaky",),
    defect=SERVER_DEATH,
    references=("MCP specification, tools: error handling",),
)

_HINT = "Catch what the handler raises and answer with isError: true; one bad call must not end the session."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the calls after which the process was gone or its output closed."""
    for found in group(facts.ended(Outcome.CRASH), cause=_death):
        call = found.first
        yield RULE.finding(
            f"{_told(call)}{_how_often(call)}.",
            location=found.location,
            kind="flaky" if call.flaky else None,
            hint=_HINT,
            evidence=found.evidence(
                **call.death, stderr=call.stderr, reproduced=f"{call.seen} of {call.tries}"
            ),
            reproduce=call.case.request,
        )


def _death(call: Call) -> bytes:
    return canonical_json(dict(call.death))


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
    return "closed its output and kept running" if call.death.get("running") else "ended, unseen how,"


def _how_often(call: Call) -> str:
    return f" (seen {call.seen} time{'s' * (call.seen > 1)} in {call.tries})" if call.flaky else ""
