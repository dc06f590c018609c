"""`reality/unconfirmed-write`: a write claims success, and reads do not show what it wrote."""

from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Category, Certainty, Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import ToolCalls, Write, evidence

RULE = Rule(
    id="reality/unconfirmed-write",
    title="A write is not shown by the reads behind it",
    severity=Severity.ERROR,
    category=Category.FIDELITY,
    references=("MCP specification, tools: error handling", "pipefy/ai-toolkit #128"),
)

_HINT = "Say that it is written once the store has taken it, and answer with isError: true where it has not."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the first write that was answered well, of which no read that was answered shows anything."""
    for write in facts.writes:
        if write.reads and not write.shown:
            yield _finding(facts, write)
            return


def _finding(facts: ToolCalls, write: Write) -> Finding:
    names: list[Json] = [read.tool for read in write.reads]
    result = write.call.ending.result
    return RULE.finding(
        "A write claims success, and nothing of what it wrote is in the answers of"
        f" {cut_text(', '.join(str(name) for name in names), 200)}.",
        location=facts.location(),
        hint=_HINT,
        evidence=evidence(
            write.call,
            response=cut_text(result.text, 300) if result is not None else None,
            reads=[{"tool": read.tool, "response": cut_text(read.answer, 300)} for read in write.reads],
        ),
        reproduce=facts.request(write.call),
        certainty=Certainty.OBSERVED,
    )
