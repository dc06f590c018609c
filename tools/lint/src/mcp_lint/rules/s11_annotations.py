"""S11: the annotations of a tool contradict each other, its name, or what a directory demands."""

from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.settings import Settings
from mcp_lint.facts.verbs import Deed, deed_of, verb_of
from mcp_lint.rules.declare import HEURISTIC, PROVEN, TOOLS_PAGE, Judged, Judgement, declare

RULE = declare(
    "S11",
    "Annotations contradict each other, the name, or a directory's demands",
    Severity.WARNING,
    Category.CONFORMANCE,
    kinds=("contradiction", "verb", "blanket", "missing"),
    references=(
        TOOLS_PAGE,
        "DeusData/codebase-memory-mcp issue 2118",
        "SigNoz/signoz-mcp-server pull request 102",
        "TryGhost/ghst pull request 183",
    ),
)
HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_FEWEST = 4
"""Tools of which the same hints on all say that nobody chose them."""


def judge(definitions: Definitions, settings: Settings) -> Iterator[Judgement]:
    """Judge the annotations of each tool, then those of all together."""
    for tool in definitions.tools:
        yield from _contradiction(tool)
        yield from _verb(tool)
        if settings.profile is not None:
            yield from _missing(tool, settings.profile.value)
    yield from _blanket(definitions)


def _contradiction(tool: ToolDefinition) -> Iterator[Judgement]:
    hints = tool.annotations
    if hints.get("readOnlyHint") is True and hints.get("destructiveHint") is True:
        yield RULE.finding(
            "It says that it changes nothing (readOnlyHint) and that it destroys (destructiveHint).",
            kind="contradiction",
            location=Location(tool=tool.label, pointer="/annotations"),
            hint="Drop the wrong one; destructiveHint means something only where readOnlyHint is false.",
            evidence={"annotations": dict(hints)},
            certainty=PROVEN,
        )


def _verb(tool: ToolDefinition) -> Iterator[Judgement]:
    verb = verb_of(tool.name or "")
    if tool.annotations.get("readOnlyHint") is True and deed_of(verb) is Deed.DESTROY:
        yield RULE.finding(
            f"Its name says {verb!r}, its readOnlyHint that it changes nothing.",
            kind="verb",
            location=Location(tool=tool.label, pointer="/annotations/readOnlyHint"),
            hint="Set readOnlyHint to false, for hosts run read-only tools without asking; or rename it.",
            evidence={"annotations": dict(tool.annotations)},
            certainty=HEURISTIC,
        )


def _missing(tool: ToolDefinition, profile: str) -> Iterator[Judgement]:
    hints = tool.annotations
    titled = any(
        isinstance(each, str) and each.strip() for each in (tool.fields.get("title"), hints.get("title"))
    )
    wanted = {
        "title": titled,
        "readOnlyHint": isinstance(hints.get("readOnlyHint"), bool),
        "destructiveHint": isinstance(hints.get("destructiveHint"), bool)
        or hints.get("readOnlyHint") is True,
    }
    absent: list[Json] = [name for name, there in wanted.items() if not there]
    if absent:
        yield RULE.finding(
            f"The directory of the profile {profile} refuses a tool without {', '.join(map(str, absent))}.",
            kind="missing",
            location=Location(tool=tool.label, pointer="/annotations"),
            key=profile,
            hint="Give each tool a title, readOnlyHint, and where it changes something destructiveHint.",
            evidence={"missing": absent},
            certainty=PROVEN,
        )


def _blanket(definitions: Definitions) -> Iterator[Judgement]:
    """Report that all tools carry the same hints, though their names say different things."""
    told = {tuple(tool.annotations.get(name) for name in HINTS) for tool in definitions.tools}
    if (
        len(definitions.tools) < _FEWEST
        or len(told) != 1
        or not any(each is not None for each in next(iter(told)))
    ):
        return
    deeds = {deed_of(verb_of(name)) for name in definitions.names} - {None}
    if Deed.READ in deeds and len(deeds) > 1:
        shared = dict(zip(HINTS, next(iter(told)), strict=True))
        yield RULE.finding(
            f"All {len(definitions.tools)} tools carry the same hints, readers and writers alike.",
            kind="blanket",
            hint="Set the hints tool by tool; hosts ask or do not ask their users by them.",
            evidence={"annotations": {name: value for name, value in shared.items() if value is not None}},
            certainty=HEURISTIC,
        )


JUDGED = Judged(RULE, judge)
