"""`fuzz/internal-error`: an answer shows that the handler did not expect what it got."""

from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_fuzz.facts.call import Call, ToolCalls
from mcp_fuzz.facts.outcome import ErrorKind, Outcome
from mcp_fuzz.rules.grouping import deed, group

RULE = Rule(
    id="fuzz/internal-error",
    title="A call ends in an internal error",
    severity=Severity.ERROR,
    category=Category.RELIABILITY,
    references=("MCP specification, tools: error handling", "JSON-RPC 2.0, error object"),
    cwe=(755,),
)

_SHOWN = {
    ErrorKind.CODE: "with a JSON-RPC error that says the fault is the server's",
    ErrorKind.TRACE: "with the text of an unhandled exception",
    ErrorKind.HIDDEN: "with an error that says nothing but that something failed",
}
_HINTS = {
    ErrorKind.CODE: "Check arguments first and answer bad ones with isError: true, naming what is wrong.",
    ErrorKind.TRACE: "Check arguments first and say in words what is wrong; keep stack traces for the log.",
    ErrorKind.HIDDEN: "Raise the SDK's tool error with words of your own, which the model can act on.",
}


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the calls that were answered with an internal error, by code, trace or silence about the cause."""
    for found in group(facts.ended(Outcome.INTERNAL_ERROR)):
        kind = _kind(found.first)
        yield RULE.finding(
            f"The server answers {deed(found.first)} {_SHOWN[kind]}.",
            location=found.location,
            hint=_HINTS[kind],
            evidence=found.evidence(kind=kind.value, answer=found.first.verdict.detail),
            reproduce=found.first.case.request,
        )


def _kind(call: Call) -> ErrorKind:
    return call.verdict.error_kind or ErrorKind.CODE
