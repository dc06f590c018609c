"""S4: an agent could take one tool for another."""

from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Location, Severity
from mcp_lint.facts.confusable import pairs
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.settings import Settings
from mcp_lint.rules.declare import HEURISTIC, Judged, Judgement, declare

RULE = declare(
    "S4",
    "Two tools that an agent could take for one another",
    Severity.WARNING,
    Category.DOCUMENTATION,
)


def judge(definitions: Definitions, _: Settings) -> Iterator[Judgement]:
    """Judge the pairs of tools that have anything in common."""
    for pair in pairs(definitions.tools):
        if pair.confusable:
            first, second = sorted((pair.one, pair.other))
            yield RULE.finding(
                f"An agent could take it for {second!r}: the same arguments fit both, and names and "
                "descriptions hardly tell them apart.",
                location=Location(tool=first),
                key=second,
                hint="Say in both when to use this one and not the other, or make one tool of the two.",
                evidence={
                    "tools": [first, second],
                    "words": round(pair.words, 2),
                    "names": round(pair.names, 2),
                    "parameters": round(pair.parameters, 2),
                },
                certainty=HEURISTIC,
            )


JUDGED = Judged(RULE, judge)
