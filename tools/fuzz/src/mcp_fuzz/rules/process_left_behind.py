"""`fuzz/process-left-behind`: something that the server started outlives it."""

from collections import Counter
from collections.abc import Iterable, Iterator

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.defects import LEFT_BEHIND
from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.model.rule import Rule
from mcp_fuzz.facts.call import Leftovers

RULE = Rule(
    id="fuzz/process-left-behind",
    title="The server leaves processes behind",
    severity=Severity.WARNING,
    category=Category.RELIABILITY,
    defect=LEFT_BEHIND,
    references=("MCP specification, lifecycle: shutdown over stdio",),
)

_SHOWN = 10


def check(ends: Iterable[Leftovers]) -> Iterator[Finding]:
    """Find what was still running half a second after an orderly end; one finding for the worst end seen."""
    worst = max((end for end in ends if end.commands), key=lambda end: len(end.commands), default=None)
    if worst is None:
        return
    count = len(worst.commands)
    seen = Counter(cut_text(command, 200) for command in worst.commands)
    yield RULE.finding(
        f"{count} process{'es' * (count > 1)} that the server had started ran on after its orderly end.",
        hint="End and wait for what you start when stdin closes; a client has no other way to end it.",
        evidence={
            "processes": [
                f"{command} (×{times})" if times > 1 else command
                for command, times in sorted(seen.items())[:_SHOWN]
            ],
            "count": count,
        },
    )
