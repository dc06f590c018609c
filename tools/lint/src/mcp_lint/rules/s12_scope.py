"""S12: a tool that destroys does not say where it stops."""

import re
from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Location, Severity
from mcp_check_core.model.tool import ToolDefinition
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.settings import Settings
from mcp_lint.facts.verbs import Deed, deed_of, verb_of
from mcp_lint.rules.declare import HEURISTIC, Judged, Judgement, declare

RULE = declare(
    "S12",
    "A tool that destroys does not say where it stops",
    Severity.WARNING,
    Category.DOCUMENTATION,
    kinds=("no-boundary", "unbounded", "omitted"),
)
_BOUNDARY = re.compile(
    r"\b(?:only|cannot|can't|can not|never|not? (?:be )?(?:affect|touch|delete|remove)\w*|unless|within"
    r"|restricted|limited|scoped?|allowed|permitted|requires?|must|confirm\w*|irreversib\w+|permanent\w*|undone"
    r"|undo|revers\w+|recover\w*|trash|archiv\w+|soft|owned|own|your|current|specific|specified|given"
    r"|by (?:its )?(?:id|name|key)|single|one|sandbox\w*|this|if)\b",
    re.IGNORECASE,
)
"""Words by which a description says what is touched and what is not, or that it cannot be taken back."""
_UNBOUNDED = re.compile(
    r"\b(?:arbitrary (?:file|command|code|path|sql|shell|script|quer)\w*"
    r"|any (?:file|path|command|process|directory|folder|host|table|database)s?\b(?: on| in| of| from)?"
    r"|(?:entire|whole) (?:file ?system|disk|machine|database|host)|on the host)\b",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"\b(?:only (?:works |operates )?within|restricted to|limited to|must be (?:within|inside|under)"
    r"|allowed director\w+|sandbox\w*)\b[^.\n]{0,40}",
    re.IGNORECASE,
)
_SIBLINGS = 3
"""Tools that state a boundary, from which on one that does not is told; they must be most of those alike."""


def judge(definitions: Definitions, _: Settings) -> Iterator[Judgement]:
    """Judge the tools that destroy, then those that omit what their siblings say."""
    for tool in definitions.tools:
        if deed_of(verb_of(tool.name or "")) is Deed.DESTROY and tool.description:
            yield from _destroying(tool)
    yield from _omitted(definitions)


def _destroying(tool: ToolDefinition) -> Iterator[Judgement]:
    text = tool.description or ""
    at = Location(tool=tool.label, pointer="/description")
    unbounded = _UNBOUNDED.search(text)
    if _BOUNDARY.search(text) and not unbounded:
        return
    hint = "Say what it may touch, what it never touches, and whether it can be taken back."
    if unbounded:
        yield RULE.finding(
            f"It destroys, and its description sets no bound: {unbounded.group()!r}.",
            kind="unbounded",
            location=at,
            hint=hint,
            evidence={"description": text},
            certainty=HEURISTIC,
        )
    else:
        yield RULE.finding(
            "It destroys, and its description does not say where it stops.",
            kind="no-boundary",
            severity=Severity.INFO,
            location=at,
            hint=hint,
            evidence={"description": text},
            certainty=HEURISTIC,
        )


def _omitted(definitions: Definitions) -> Iterator[Judgement]:
    """Report a tool with a path that omits the boundary which most of its siblings state."""
    alike = [tool for tool in definitions.tools if any("path" in name.lower() for name in tool.properties)]
    stated = [tool for tool in alike if _WITHIN.search(tool.description or "")]
    if len(stated) < _SIBLINGS or 2 * len(stated) <= len(alike):
        return
    for tool in alike:
        if tool not in stated:
            yield RULE.finding(
                f"{len(stated)} tools with a path say within what they work; this one does not.",
                kind="omitted",
                severity=Severity.INFO,
                location=Location(tool=tool.label, pointer="/description"),
                hint="State the same boundary here, or say that there is none.",
                evidence={"sibling": stated[0].label},
                certainty=HEURISTIC,
            )


JUDGED = Judged(RULE, judge)
