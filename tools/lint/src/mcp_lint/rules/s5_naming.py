"""S5: the names of the tools do not look like those of one server."""

from collections import Counter
from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.settings import Settings
from mcp_lint.facts.styles import style_of
from mcp_lint.facts.verbs import shared_prefix
from mcp_lint.facts.words import name_parts
from mcp_lint.rules.declare import PROVEN, Judged, Judgement, declare

RULE = declare(
    "S5",
    "Names of tools do not look like those of one server",
    Severity.WARNING,
    Category.DOCUMENTATION,
    kinds=("unprefixed", "no-prefix", "mixed-styles"),
)
FEWEST = 5
"""Tools from which on a prefix is worth having."""
_MOST = 0.8
"""Part of the tools that share a prefix, from which on the others are odd."""


def judge(definitions: Definitions, _: Settings) -> Iterator[Judgement]:
    """Judge the names of all tools together."""
    names = definitions.names
    prefix = shared_prefix(names)
    if len(names) >= FEWEST:
        yield from _prefixes(definitions, prefix)
    styles = Counter(style for style in map(style_of, names) if style is not None)
    if len(styles) > 1:
        usual = styles.most_common(1)[0][0]
        odd: list[Json] = [name for name in names if style_of(name) not in (None, usual)]
        yield RULE.finding(
            f"{len(odd)} of {len(names)} names are not written in {usual}, as the others are.",
            kind="mixed-styles",
            severity=Severity.INFO,
            hint="Write all names in one style.",
            evidence={"styles": {style.value: count for style, count in styles.items()}, "odd": odd[:20]},
            certainty=PROVEN,
        )


def _prefixes(definitions: Definitions, prefix: str) -> Iterator[Judgement]:
    if not prefix:
        yield RULE.finding(
            "The tools share no prefix, so that beside other servers their names say not whose they are.",
            kind="no-prefix",
            severity=Severity.INFO,
            hint="Begin all names with one short word for the server, where clients do not add one.",
            certainty=PROVEN,
        )
        return
    with_it = [tool for tool in definitions.tools if name_parts(tool.name or "")[:1] == (prefix,)]
    if len(with_it) < _MOST * len(definitions.names):
        return
    for tool in definitions.tools:
        if tool not in with_it and tool.name is not None:
            yield RULE.finding(
                f"Its name does not begin with {prefix!r}, as those of {len(with_it)} other tools do.",
                kind="unprefixed",
                location=Location(tool=tool.label, pointer="/name"),
                hint="Give it the prefix that the others have.",
                certainty=PROVEN,
            )


JUDGED = Judged(RULE, judge)
