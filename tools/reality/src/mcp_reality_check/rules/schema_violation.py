"""`reality/schema-violation`: structured content breaks the output schema, or is missing."""

from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_text, cut_value
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import Answer, ToolCalls, evidence
from mcp_reality_check.rules.suspected import deed

RULE = Rule(
    id="reality/schema-violation",
    title="A result breaks the output schema of its tool",
    severity=Severity.ERROR,
    category=Category.FIDELITY,
    kinds=("missing", "invalid"),
    references=("MCP specification, tools: output schema", "remotion-dev/remotion #6275"),
)

_MISSING_HINT = "Give structuredContent in each success, or leave outputSchema out of the definition."
_INVALID_HINT = "Make the result of what outputSchema says, or the schema of what the tool returns."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the successes that do not keep what the definition promises; one finding a kind and tool."""
    if not facts.output.declared:
        return
    missing = next((answer for answer in facts.answers if not answer.result.has_structured), None)
    if missing is not None:
        yield _missing(facts, missing)
    broken = next((answer for answer in facts.answers if facts.output.faults(answer.result)), None)
    if broken is not None:
        yield _invalid(facts, broken)


def _missing(facts: ToolCalls, answer: Answer) -> Finding:
    return RULE.finding(
        f"The answer to {deed(answer.call)} has no structuredContent, though the tool declares outputSchema.",
        location=facts.location("/structuredContent"),
        kind="missing",
        hint=_MISSING_HINT,
        evidence=evidence(answer.call, response=cut_text(answer.result.text, 300)),
        reproduce=facts.request(answer.call),
    )


def _invalid(facts: ToolCalls, answer: Answer) -> Finding:
    faults = facts.output.faults(answer.result)
    first = faults[0]
    listed: list[Json] = [
        {
            "pointer": fault.pointer,
            "keyword": fault.keyword,
            "schemaPointer": fault.schema_pointer,
            "message": fault.message,
        }
        for fault in faults
    ]
    place = cut_text(first.pointer or "its root", 200)
    return RULE.finding(
        f"The structuredContent of the answer to {deed(answer.call)} breaks outputSchema"
        f" at {place} ({first.keyword}).",
        location=facts.location(f"/structuredContent{first.pointer}"),
        kind="invalid",
        hint=_INVALID_HINT,
        evidence=evidence(answer.call, faults=listed, structured=cut_value(answer.result.structured)),
        reproduce=facts.request(answer.call),
    )
