"""In which style a name is written."""

import re
from enum import StrEnum


class Style(StrEnum):
    """A way of joining words in a name."""

    SNAKE = "snake_case"
    KEBAB = "kebab-case"
    CAMEL = "camelCase"
    DOTTED = "dotted.name"


_MARKS = (
    (Style.SNAKE, re.compile(r"[A-Za-z0-9]_[A-Za-z0-9]")),
    (Style.KEBAB, re.compile(r"[A-Za-z0-9]-[A-Za-z0-9]")),
    (Style.DOTTED, re.compile(r"[A-Za-z0-9]\.[A-Za-z0-9]")),
    (Style.CAMEL, re.compile(r"[a-z0-9][A-Z]")),
)


def style_of(name: str) -> Style | None:
    """Give the style of a name, the outermost of several; None for a single word, which is of every style."""
    return next((style for style, mark in _MARKS if mark.search(name)), None)
