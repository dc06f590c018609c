"""`reality/text-structured-mismatch`: the text of a result says otherwise than its structured content."""

from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_value
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import ToolCalls, evidence
from mcp_reality_check.facts.mirror import contradiction
from mcp_reality_check.rules.suspected import deed

RULE = Rule(
    id="reality/text-structured-mismatch",
    title="Text and structured content of a result disagree",
    severity=Severity.WARNING,
    category=Category.FIDELITY,
    references=("MCP specification, tools: structured content",),
)

_HINT = "Make the text block of the same value as structuredContent; some clients show only one of them."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the first answer of a tool whose two forms contradict each other."""
    for answer in facts.answers:
        found = contradiction(answer.result)
        if found is not None:
            yield RULE.finding(
                f"Text and structuredContent of the answer to {deed(answer.call)} disagree.",
                location=facts.location(f"/structuredContent{found.pointer}"),
                hint=_HINT,
                evidence=evidence(
                    answer.call, structured=cut_value(found.structured), text=cut_value(found.text)
                ),
                reproduce=facts.request(answer.call),
            )
            return
