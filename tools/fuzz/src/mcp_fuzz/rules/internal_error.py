"""`fuzz/internal-error`: an answer shows that the handler did not expect what it got."""

from collections.abc import Iterable, Iterator, Sequence

from mcp_check_core.model.finding import Category, Finding, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.rule import Rule
from mcp_fuzz.facts.call import Call, ToolCalls
from mcp_fuzz.facts.case import Phase
from mcp_fuzz.facts.outcome import ErrorKind, Outcome
from mcp_fuzz.rules.grouping import Group, deed, location_of

WRONG_CODE = "wrong-code"
TOOLS_SHOWN = 20
"""Tools that one finding names."""

RULE = Rule(
    id="fuzz/internal-error",
    title="A call ends in an internal error",
    severity=Severity.ERROR,
    category=Category.RELIABILITY,
    kinds=(WRONG_CODE,),
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


_WRONG_CODE_HINT = "Answer bad arguments with a result that has isError: true, or with JSON-RPC error -32602."


def check(*results: ToolCalls) -> Iterator[Finding]:
    """Find the calls that were answered with an internal error, by code, trace or silence about the cause.

    One text is one cause: a finding at the first tool that shows it, on a valid call if there is any, which
    names the other tools. Orderly refusals that have the code of an internal error are one finding in all.
    """
    for members in _causes(results):
        first, tools = _first(members), _tools(members)
        kind = first.verdict.error_kind or ErrorKind.CODE
        where = f", on {len(tools)} tools alike," if len(tools) > 1 else ""
        found = Group(first, len(members))
        yield RULE.finding(
            f"The server answers {deed(first)}{where} {_SHOWN[kind]}.",
            location=found.location,
            hint=_HINTS[kind],
            evidence=found.evidence(kind=kind.value, answer=first.verdict.detail, **_shown_tools(tools)),
            reproduce=first.case.request,
        )
    yield from _wrong_code(results)


def _causes(results: Iterable[ToolCalls]) -> Iterator[list[Call]]:
    """Gather the calls by what they were answered; causes that show at one place are one."""
    by_text: dict[tuple[ErrorKind | None, str], list[Call]] = {}
    for call in (call for result in results for call in result.ended(Outcome.INTERNAL_ERROR)):
        by_text.setdefault((call.verdict.error_kind, call.verdict.detail), []).append(call)
    by_place: dict[Location, list[Call]] = {}
    for members in by_text.values():
        by_place.setdefault(location_of(_first(members)), []).extend(members)
    yield from by_place.values()


def _wrong_code(results: Iterable[ToolCalls]) -> Iterator[Finding]:
    calls = [call for result in results for call in result.calls if call.verdict.wrong_code is not None]
    if not calls:
        return
    first, tools = calls[0], _tools(calls)
    yield RULE.finding(
        f"The server refuses calls of {len(tools)} tool{'s' * (len(tools) > 1)} in words, but with error "
        f"{first.verdict.wrong_code}, which says that the fault is its own.",
        kind=WRONG_CODE,
        severity=Severity.INFO,
        hint=_WRONG_CODE_HINT,
        evidence=Group(first, len(calls)).evidence(answer=first.verdict.detail, **_shown_tools(tools)),
        reproduce=first.case.request,
    )


def _first(members: Sequence[Call]) -> Call:
    """Choose the call that shows a cause: of the tool that showed it first, a valid one if there is any."""
    tool = members[0].case.tool
    valid = (call for call in members if call.case.phase is Phase.VALID and call.case.tool == tool)
    return next(valid, members[0])


def _tools(calls: Iterable[Call]) -> list[str]:
    return list(dict.fromkeys(call.case.tool for call in calls))


def _shown_tools(tools: list[str]) -> dict[str, Json]:
    """Name the first tools, and count them where there are more."""
    if len(tools) < 2:
        return {}
    shown: dict[str, Json] = {"tools": [*tools[:TOOLS_SHOWN]]}
    return shown | ({"toolCount": len(tools)} if len(tools) > TOOLS_SHOWN else {})
