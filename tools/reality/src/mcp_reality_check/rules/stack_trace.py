"""`reality/stack-trace`: a success shows a traceback."""

from collections.abc import Iterator

from mcp_check_core.judges.disguise import Disguise
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import ToolCalls
from mcp_reality_check.rules.suspected import deed, disguise_finding

RULE = Rule(
    id="reality/stack-trace",
    title="A success shows a stack trace",
    severity=Severity.WARNING,
    category=Category.SECURITY,
    references=("CWE-209: generation of error message containing sensitive information",),
    cwe=(209,),
)

_HINT = "Log the trace to stderr and tell the caller in one sentence what failed, with isError: true."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the answers that hold the trace of an exception."""
    return disguise_finding(
        RULE,
        facts,
        Disguise.STACK_TRACE,
        lambda call: f"The answer to {deed(call)} claims success and shows a stack trace.",
        _HINT,
    )
