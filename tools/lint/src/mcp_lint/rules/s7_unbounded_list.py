"""S7: a tool that lists everything offers no way to ask for less."""

import re
from collections.abc import Iterator

from mcp_check_core.model.finding import Category, Location, Severity
from mcp_check_core.model.tool import ToolDefinition
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.parameters import parameters
from mcp_lint.facts.settings import Settings
from mcp_lint.facts.verbs import shared_prefix
from mcp_lint.facts.words import name_parts
from mcp_lint.rules.declare import HEURISTIC, Judged, Judgement, declare

RULE = declare(
    "S7",
    "A tool lists everything, with no limit, paging or filter",
    Severity.WARNING,
    Category.EFFICIENCY,
    references=("rollbar/rollbar-mcp-server issue 28", "Shopify/dev-mcp issue 58"),
)
_NEVER_NARROWS = frozenset(
    {
        "format", "verbose", "detailed", "details", "pretty", "raw", "json", "yaml", "output",
        "refresh", "force", "sort", "order", "locale", "lang", "language", "timeout", "debug",
        "dry", "reason", "include", "with", "response", "random", "string", "dummy", "token", "key",
    }
)  # fmt: skip
"""First or last parts of names of parameters that change how a list is shown, not how long it is."""
_BOUNDED = re.compile(
    r"\b(?:available|supported|allowed|possible|valid|built-?in|predefined|known|configured|loaded|installed|registered"
    r"|open|active|running|connected|current(?:ly)?|limit(?:ed)?|latest|recent|up to|at most"
    r"|max(?:imum)?|pag(?:e|es|inat\w+))\b",
    re.IGNORECASE,
)
"""Words of a description by which the list is a short one, or says itself how long it may be."""


def judge(definitions: Definitions, _: Settings) -> Iterator[Judgement]:
    """Judge each tool whose name says that it lists."""
    prefix = shared_prefix(definitions.names)
    for tool in definitions.tools:
        if _lists_all(tool, prefix) and not any(_narrows(one.name) for one in parameters(tool)):
            yield RULE.finding(
                "Its name says that it lists everything, and no parameter limits, pages or filters the list.",
                location=Location(tool=tool.label, pointer="/inputSchema"),
                hint="Add a limit with a default and a cursor, or a filter; say how long the list can get.",
                certainty=HEURISTIC,
            )


def _lists_all(tool: ToolDefinition, prefix: str) -> bool:
    parts = name_parts(tool.name or "")
    parts = parts[1:] if prefix and parts[:1] == (prefix,) else parts
    if _BOUNDED.search(f"{' '.join(parts)} {tool.description or ''}"):
        return False
    plural = bool(parts) and parts[-1].endswith("s") and not parts[-1].endswith(("ss", "us", "is"))
    if parts[:1] == ("list",):
        return plural or len(parts) == 1
    return plural and "all" in parts[:2] and parts[0] in {"get", "fetch", "all", "show", "read"}


def _narrows(name: str) -> bool:
    parts = name_parts(name)
    return not (parts and (parts[0] in _NEVER_NARROWS or parts[-1] in _NEVER_NARROWS))


JUDGED = Judged(RULE, judge)
