"""`fuzz/accepted-invalid`: arguments that the tool's own schema forbids are taken."""

from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_fuzz.facts.call import Call, ToolCalls
from mcp_fuzz.facts.case import Phase
from mcp_fuzz.facts.outcome import Outcome
from mcp_fuzz.rules.grouping import group, with_article

MISSING, WRONG_TYPE, COERCED = "missing", "wrong-type", "coerced"

RULE = Rule(
    id="fuzz/accepted-invalid",
    title="A call succeeds although its arguments break the schema",
    severity=Severity.WARNING,
    category=Category.CONFORMANCE,
    kinds=(MISSING, WRONG_TYPE, COERCED),
    references=("MCP specification, tools: servers must validate all tool inputs",),
    cwe=(20,),
)

_HINTS = {
    MISSING: "Refuse a call without it, or take it out of `required`.",
    WRONG_TYPE: "Validate arguments against the input schema before the handler runs.",
    COERCED: "Nothing need be done if clients may rely on it; else allow the other type in the schema too.",
}


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the bad calls that succeeded."""
    for found in group(facts.ended(Outcome.ACCEPTED_INVALID), _kind):
        kind = _kind(found.first)
        yield RULE.finding(
            _message(found.first, kind),
            location=found.location,
            kind=kind,
            severity=Severity.INFO if kind == COERCED else Severity.WARNING,
            hint=_HINTS[kind],
            evidence=found.evidence(answer=found.first.verdict.detail),
            reproduce=found.first.case.request,
        )


def _kind(call: Call) -> str:
    if call.case.phase is Phase.MISSING:
        return MISSING
    return COERCED if call.verdict.coerced else WRONG_TYPE


def _message(call: Call, kind: str) -> str:
    name = cut_text(call.case.parameter or "its arguments", 80)
    if kind == MISSING:
        return f"A call without {name}, which the schema requires, succeeds."
    wanted = " or ".join(call.case.wanted)
    verb = "is taken as one" if kind == COERCED else "succeeds"
    return f"A call with {with_article(call.case.sent)} for {name}, where the schema wants {wanted}, {verb}."
