"""`reality/placeholder`: a success is a stand-in for an answer that is not made yet."""

from collections.abc import Iterator

from mcp_check_core.judges.disguise import Disguise
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import ToolCalls
from mcp_reality_check.rules.suspected import deed, disguise_finding

RULE = Rule(
    id="reality/placeholder",
    title="A success is a placeholder",
    severity=Severity.WARNING,
    category=Category.FIDELITY,
    references=("MCP specification, tools: tool result",),
)

_HINT = "Leave a tool out of the list until it works, or answer with isError: true."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the answers that say of themselves that they are none."""
    return disguise_finding(
        RULE,
        facts,
        Disguise.PLACEHOLDER,
        lambda call: f"The answer to {deed(call)} claims success and is a placeholder.",
        _HINT,
    )
