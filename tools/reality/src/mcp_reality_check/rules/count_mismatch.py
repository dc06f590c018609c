"""`reality/count-mismatch`: a count beside a list is not the list's length."""

from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import ToolCalls, evidence
from mcp_reality_check.facts.counting import miscounts
from mcp_reality_check.rules.suspected import deed

RULE = Rule(
    id="reality/count-mismatch",
    title="A count is not the length of the list beside it",
    severity=Severity.WARNING,
    category=Category.FIDELITY,
    references=("MCP specification, tools: tool result",),
)

_HINT = "Count what is listed; where more exists than is listed, say so by a total, a cursor or a limit."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the first answer of a tool that counts its own list wrong."""
    for answer in facts.answers:
        found = next(miscounts(answer.result), None)
        if found is not None:
            name, listed = cut_text(found.name, 80), cut_text(found.listed, 80)
            yield RULE.finding(
                f"The answer to {deed(answer.call)} says {name} {found.count} beside {listed} with"
                f" {found.length} items.",
                location=facts.location(found.pointer),
                hint=_HINT,
                evidence=evidence(answer.call, count=found.count, length=found.length),
                reproduce=facts.request(answer.call),
            )
            return
