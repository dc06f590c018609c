"""`fuzz/crash`: a call, or the list of tools, ended the server."""

from collections.abc import Iterator, Mapping

from mcp_check_core.model.defects import SERVER_DEATH
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.json_value import Json
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
    for found in group(facts.ended(Outcome.CRASH)):
        call = found.first
        yield RULE.finding(
            f"{describe_end(call)} {_when(call)} {deed(call)}{_how_often(call)}.",
            location=found.location,
            kind="flaky" if call.flaky else None,
            hint=_HINT,
            evidence=found.evidence(
                **call.death, stderr=call.stderr, reproduced=f"{call.seen} of {call.tries}"
            ),
            reproduce=call.case.request,
        )


def describe_end(call: Call) -> str:
    """Say what was seen of the end, no more than that."""
    return describe_death(call.death)


def describe_death(death: Mapping[str, Json]) -> str:
    """Say how a server ended: by a code, by a signal, or by closing its output."""
    if "exitCode" in death:
        return f"The server ended with exit code {death['exitCode']}"
    if "signal" in death:
        return f"The server ended by signal {death['signal']}"
    return "The server closed its output and kept running"


def _when(call: Call) -> str:
    return "after it had answered" if call.after_answer else "on"


def _how_often(call: Call) -> str:
    return f" (seen {call.seen} time{'s' * (call.seen > 1)} in {call.tries})" if call.flaky else ""
