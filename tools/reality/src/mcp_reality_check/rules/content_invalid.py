"""`reality/content-invalid`: a content block is not what it says."""

from collections.abc import Iterator

from mcp_check_core.judges.call_context import read_context
from mcp_check_core.model.bounds import cut_text, cut_value
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import Answer, Call, ToolCalls, evidence
from mcp_reality_check.facts.content import bad_blocks
from mcp_reality_check.facts.outcome import Outcome
from mcp_reality_check.rules.suspected import deed

RULE = Rule(
    id="reality/content-invalid",
    title="A content block is not what it says",
    severity=Severity.ERROR,
    category=Category.FIDELITY,
    kinds=("unreadable", "no-tool-result", "missing-member", "not-base64", "other-type", "torn-json"),
    references=("MCP specification, tools: tool result",),
)

_HINT = "Give each block the members of its type, and bytes of the type that it states, in base64."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find the blocks that no client can use; the first of each kind in a tool's answers."""
    unreadable = next(facts.ended(Outcome.UNREADABLE), None)
    if unreadable is not None:
        yield _no_result(facts, unreadable)
    seen: set[str] = set()
    for answer in facts.answers:
        document = read_context(facts.tool, answer.call.input.arguments).document is not None
        for bad in bad_blocks(answer.result, document=document):
            if bad.kind not in seen:
                seen.add(bad.kind)
                yield RULE.finding(
                    f"In the answer to {deed(answer.call)} {bad.problem}.",
                    location=facts.location(bad.pointer),
                    kind=bad.kind,
                    hint=_HINT,
                    evidence=evidence(answer.call, block=_block(answer, bad.pointer)),
                    reproduce=facts.request(answer.call),
                )


def _no_result(facts: ToolCalls, call: Call) -> Finding:
    known = call.ending.result is not None
    said = "is no tool result" if known else "cannot be read"
    return RULE.finding(
        f"The answer to {deed(call)} {said}: {cut_text(call.ending.detail, 200)}.",
        location=facts.location(),
        kind="no-tool-result" if known else "unreadable",
        hint="Answer with content, a list of blocks that each have a type.",
        evidence=evidence(call),
        reproduce=facts.request(call),
    )


def _block(answer: Answer, pointer: str) -> Json:
    """Give the block that a pointer leads into, shortened."""
    position = int(pointer.split("/")[2])
    return cut_value(answer.result.content[position], text=200)
