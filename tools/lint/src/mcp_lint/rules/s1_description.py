"""S1: a tool has no description, or hardly one."""

from collections.abc import Iterator

from mcp_check_core.model.defects import DESCRIPTION_MISSING
from mcp_check_core.model.finding import Category, Location, Severity
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.settings import Settings
from mcp_lint.facts.words import count_words
from mcp_lint.rules.declare import PROVEN, TOOLS_PAGE, Judged, Judgement, declare

FEWEST_WORDS = 15
"""Words of a description that can say what a tool does and when to take it; fewer are a warning."""

RULE = declare(
    "S1",
    "A tool's description is missing or too short to choose by",
    Severity.ERROR,
    Category.DOCUMENTATION,
    kinds=("missing", "short"),
    defect=DESCRIPTION_MISSING,
    references=(TOOLS_PAGE,),
)


def judge(definitions: Definitions, _: Settings) -> Iterator[Judgement]:
    """Judge the description of each tool."""
    for tool in definitions.tools:
        text = (tool.description or "").strip()
        at = Location(tool=tool.label, pointer="/description")
        words = count_words(text)
        if not text:
            yield RULE.finding(
                "It has no description, so that a model has its name alone to choose by.",
                kind="missing",
                location=at,
                hint="Say what the tool does, when to use it, and what it gives back.",
                certainty=PROVEN,
            )
        elif words < FEWEST_WORDS:
            yield RULE.finding(
                f"Its description has {words} word{'s' * (words != 1)}, fewer than {FEWEST_WORDS}.",
                kind="short",
                severity=Severity.WARNING,
                location=at,
                hint="Say what it does, when to use it rather than another tool, and what it gives back.",
                evidence={"description": text},
                certainty=PROVEN,
            )


JUDGED = Judged(RULE, judge)
