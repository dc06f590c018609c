"""The pairs of tools that an agent could take for one another, with the numbers, as text and as data."""

from collections.abc import Sequence

from mcp_check_core.model.json_value import Json
from mcp_check_core.report.sanitise import terminal
from mcp_lint.facts.confusable import Pair

_SHOWN = 200


def in_order(pairs: Sequence[Pair]) -> list[Pair]:
    """Put confusable pairs first, then the most alike."""
    return sorted(
        pairs, key=lambda pair: (not pair.confusable, -pair.words - pair.names, pair.one, pair.other)
    )


def as_text(pairs: Sequence[Pair]) -> str:
    """Write a table: verdict, numbers, the two names; what keeps a pair apart stands behind it."""
    lines = ["confusable  words  names  parameters  tools"]
    for pair in pairs[:_SHOWN]:
        verdict = "yes" if pair.confusable else "no"
        why = f"  ({_why(pair)})" if _why(pair) else ""
        numbers = f"{pair.words:5.2f}  {pair.names:5.2f}  {pair.parameters:10.2f}"
        lines.append(f"{verdict:10}  {numbers}  {terminal(pair.one)} · {terminal(pair.other)}{why}")
    if len(pairs) > _SHOWN:
        lines.append(f"… and {len(pairs) - _SHOWN} less alike")
    return "\n".join(lines) + "\n" if pairs else "No two tools have names that are at all alike.\n"


def as_data(pairs: Sequence[Pair]) -> dict[str, Json]:
    """Give the same as a document."""
    rows: list[Json] = [
        {
            "tools": [pair.one, pair.other],
            "confusable": pair.confusable,
            "words": round(pair.words, 3),
            "names": round(pair.names, 3),
            "parameters": round(pair.parameters, 3),
            "apart": _why(pair) or None,
        }
        for pair in pairs
    ]
    return {"pairs": rows}


def _why(pair: Pair) -> str:
    if pair.confusable:
        return ""
    if not pair.takes_both:
        return "no arguments fit both"
    if pair.vetoed:
        return "their verbs differ"
    return "each says what the other does not" if pair.apart else ""
