"""What changed in a text: cosmetic or not, and the new words around the largest change."""

import re
from collections import Counter

from mcp_check_core.judges.change_kinds import trigger_words
from mcp_check_core.judges.folding import without_invisible
from mcp_check_core.judges.hidden_text import make_visible
from mcp_check_core.model.bounds import cut_text

_WORD = re.compile(r"\w+")
_AROUND = 40
_EXCERPT = 240


def is_quiet(before: str, after: str) -> bool:
    """Whether only white space or letter case moved, or words left of which none is a trigger.

    Invisible characters count as a change: a text that gained one is not quiet.
    """
    if before.casefold().split() == after.casefold().split():
        return True
    if len(without_invisible(after)) != len(after):
        return False
    old, new = _words(before), _words(after)
    if not _is_subsequence(new, old):
        return False
    gone = Counter(old) - Counter(new)
    return not trigger_words().intersection(gone)


def has_trigger(text: str) -> bool:
    """Whether a word of the trigger vocabulary stands in a text; invisible characters are ignored."""
    return not trigger_words().isdisjoint(_words(text.replace("_", " ")))


def change_excerpt(before: str, after: str) -> str:
    """Quote the new text from its first to its last difference, with what stands around, made visible."""
    start = 0
    shorter = min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    tail = 0
    while tail < shorter - start and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    end = len(after) - tail
    shown = after[max(0, start - _AROUND) : min(end, start + _EXCERPT) + _AROUND]
    return cut_text(make_visible(shown), _EXCERPT)


def _words(text: str) -> list[str]:
    return _WORD.findall(without_invisible(text).casefold())


def _is_subsequence(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(word in rest for word in part)
