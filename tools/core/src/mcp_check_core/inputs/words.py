"""Words in the names that programs use."""

import re
from collections.abc import Sequence

from mcp_check_core.inputs.places import Path

_NAME_CHARACTERS = 200
_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+")
_PLURALS = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("s", ""))
_NO_PLURAL = ("ss", "us", "is", "news", "sms", "dns", "tls", "css", "js", "aws")


def words(name: str, most: int = _NAME_CHARACTERS) -> tuple[str, ...]:
    """Split a name into lower-case words: `userID`, `user-id` and `user_id` are `user`, `id`."""
    return tuple(word.lower() for word in _BORDER.split(name[:most]) if word)


def singular(word: str) -> str:
    """Give the singular of an English plural as names use them; other words as they are."""
    if word.endswith(_NO_PLURAL) or len(word) < 3:
        return word
    return next((word[: -len(end)] + put for end, put in _PLURALS if word.endswith(end)), word)


def path_words(path: Path) -> tuple[str, ...]:
    """Give the words of the last two property names on a path; an item is named by its array's singular."""
    names = [part for part in path if isinstance(part, str)][-2:]
    found = [word for name in names for word in words(name)]
    if path and isinstance(path[-1], int) and found:
        found[-1] = singular(found[-1])
    return tuple(found)


def suffixes(found: Sequence[str], most: int = 4) -> tuple[tuple[str, ...], ...]:
    """Give the ends of a sequence of words, the longest first."""
    return tuple(tuple(found[-length:]) for length in range(min(most, len(found)), 0, -1))
