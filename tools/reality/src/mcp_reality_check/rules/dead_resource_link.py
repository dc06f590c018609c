"""`reality/dead-resource-link`: a link to a resource that the server itself cannot read."""

from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import ToolCalls, evidence
from mcp_reality_check.rules.suspected import deed

RULE = Rule(
    id="reality/dead-resource-link",
    title="A resource link leads nowhere",
    severity=Severity.WARNING,
    category=Category.FIDELITY,
    references=("MCP specification, tools: resource links",),
)

_HINT = "Serve by resources/read each address that a tool gives in a resource_link."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the first link of a tool's answers that was followed and led nowhere."""
    for link in facts.links:
        if link.problem is not None:
            yield RULE.finding(
                f"A resource link in the answer to {deed(link.call)} cannot be read:"
                f" {cut_text(link.problem, 200)}.",
                location=facts.location(link.pointer),
                hint=_HINT,
                evidence=evidence(link.call, uri=cut_text(link.uri, 300)),
                reproduce={
                    "jsonrpc": "2.0",
                    "id": 1,
                    "method": "resources/read",
                    "params": {"uri": cut_text(link.uri, 4_000)},
                },
            )
            return
