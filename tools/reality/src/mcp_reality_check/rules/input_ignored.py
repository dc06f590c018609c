"""`reality/input-ignored`: two different inputs, one answer."""

from collections.abc import Iterator

from mcp_check_core.model.bounds import cut_text, cut_value
from mcp_check_core.model.finding import Category, Certainty, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import Purpose, ToolCalls, evidence
from mcp_reality_check.facts.substance import says_little

RULE = Rule(
    id="reality/input-ignored",
    title="Different input gives the same answer",
    severity=Severity.INFO,
    category=Category.FIDELITY,
    references=("MCP specification, tools: tool result",),
)

_HINT = "See that the argument reaches what makes the answer; where it does not matter, leave it out."


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find a tool that answers two realistic calls and one for something that cannot exist alike.

    Two made up inputs may both be unknown to a server; an answer that does not even differ for what cannot
    exist, and that is no short word of "none", does not depend on the input.
    """
    by_purpose = {answer.call.purpose: answer for answer in facts.answers}
    first, other = by_purpose.get(Purpose.REALISTIC), by_purpose.get(Purpose.OTHER)
    absent = by_purpose.get(Purpose.ABSENT)
    if first is None or other is None or absent is None or first.suspicions or says_little(first.result):
        return
    if first.result.content == other.result.content == absent.result.content:
        yield RULE.finding(
            "Two calls with different input and one for something that cannot exist have the same answer.",
            location=facts.location(),
            hint=_HINT,
            evidence=evidence(
                first.call,
                otherArguments=cut_value(dict(other.call.input.arguments)),
                response=cut_text(first.result.text, 300),
            ),
            reproduce=facts.request(other.call),
            certainty=Certainty.HEURISTIC,
        )
