"""`reality/disguised-refusal`: a success whose text is a refusal or an apology."""

from collections.abc import Iterator

from mcp_check_core.judges.disguise import Disguise
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import ToolCalls
from mcp_reality_check.rules.suspected import deed, disguise_finding

RULE = Rule(
    id="reality/disguised-refusal",
    title="A success is a refusal",
    severity=Severity.ERROR,
    category=Category.FIDELITY,
    references=("MCP specification, tools: error handling",),
)

_HINT = "Answer with isError: true where the tool does not do what it was asked for."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the answers that refuse in the words of a success."""
    return disguise_finding(
        RULE,
        facts,
        Disguise.REFUSAL,
        lambda call: f"The answer to {deed(call)} claims success and is a refusal.",
        _HINT,
    )
