"""`reality/echo-mismatch`: nothing of what was asked for is in the answer."""

from collections.abc import Iterator

from mcp_check_core.inputs.words import words
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Category, Certainty, Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.rule import Rule
from mcp_reality_check.facts.call import Answer, Purpose, ToolCalls, evidence
from mcp_reality_check.facts.substance import says_little
from mcp_reality_check.facts.writing import shows, written_values

RULE = Rule(
    id="reality/echo-mismatch",
    title="Nothing of the input is in the answer",
    severity=Severity.INFO,
    category=Category.FIDELITY,
    references=("MCP specification, tools: tool result",),
)

_HINT = "See that the answer is about what was asked for; naming it in the answer lets a reader see that too."
_OF_THE_SCHEMA = ("enum", "const", "default", "schema", "format", "plain")
"""Sources of values that say nothing of a thing that an answer could be about."""
_NAMES = frozenset(
    (
        *("name", "title", "username", "symbol", "ticker", "topic", "subject", "keyword", "term"),
        *("city", "country", "location", "place", "address", "query", "q", "search", "id"),
    )
)
"""Last words of the names of properties that say which thing is meant; a path or a text to work on is not."""
_WORD = 4


def check(facts: ToolCalls) -> Iterator[Finding]:
    """Find a reader whose answer to a realistic call has no word of what was asked for."""
    answer = next((one for one in facts.answers if one.call.purpose is Purpose.REALISTIC), None)
    if answer is None or not facts.tool.read_only or answer.suspicions or says_little(answer.result):
        return
    asked = _asked(answer)
    if not asked or len(answer.result.texts) != len(answer.result.content):
        return
    parts = [word for value in asked for word in words(value) if len(word) >= _WORD]
    if shows(answer.result, (*asked, *parts)):
        return
    named: list[Json] = [cut_text(value, 100) for value in asked[:5]]
    yield RULE.finding(
        "No word of what a realistic call asked for is in its answer.",
        location=facts.location(),
        hint=_HINT,
        evidence=evidence(answer.call, asked=named, response=cut_text(answer.result.text, 300)),
        reproduce=facts.request(answer.call),
        certainty=Certainty.HEURISTIC,
    )


def _asked(answer: Answer) -> tuple[str, ...]:
    """List the texts among the arguments that name what the answer should be about."""
    arguments, sources = answer.call.input.arguments, answer.call.input.sources
    named = {
        name: value
        for name, value in arguments.items()
        if sources.get(f"/{name}", "name").partition(":")[0] not in _OF_THE_SCHEMA
        and not _NAMES.isdisjoint(words(name)[-1:])
    }
    return written_values(named)
