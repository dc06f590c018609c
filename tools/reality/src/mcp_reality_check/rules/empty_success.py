"""`reality/empty-success`: a reader answers with success and nothing in it."""

from collections.abc import Iterator

from mcp_check_core.judges.disguise import Disguise
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import ToolCalls
from mcp_reality_check.rules.suspected import deed, disguise_finding

RULE = Rule(
    id="reality/empty-success",
    title="A success has nothing in it",
    severity=Severity.WARNING,
    category=Category.FIDELITY,
    references=("MCP specification, tools: tool result",),
)

_HINT = "Say what was found, or that nothing was; where it could not be looked up, answer with isError: true."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the answers of tools that read in which there is nothing to read."""
    return disguise_finding(
        RULE,
        facts,
        Disguise.EMPTY,
        lambda call: f"The answer to {deed(call)} claims success and holds nothing.",
        _HINT,
    )
