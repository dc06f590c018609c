"""What a description states of a parameter's values, in words that a schema can be held against."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

_NUMBER = r"(-?[0-9]{1,9}(?:\.[0-9]{1,6})?)(?![0-9.,]*[0-9%a-zA-Z])"
_DEFAULT = re.compile(
    r"(?:\bdefaults? (?:is|to|value is)|\bdefault\s?[:=]|\(default)\s{0,3}[:=]?\s{0,3}"
    r"[`'\"“]?([A-Za-z0-9_.+-]{1,40})",
    re.IGNORECASE,
)
_MAXIMUM = re.compile(
    rf"(?:\bmax(?:imum)?(?: (?:is|of|value))?\s?[:=]?|\bat most|\bup to|\bno more than)\s{{0,2}}{_NUMBER}",
    re.IGNORECASE,
)
_MINIMUM = re.compile(
    rf"(?:\bmin(?:imum)?(?: (?:is|of|value))?\s?[:=]?|\bat least)\s{{0,2}}{_NUMBER}", re.IGNORECASE
)
_RANGE = re.compile(rf"\b(?:between|from)\s{{1,2}}(-?[0-9]{{1,9}})\s(?:and|to)\s{_NUMBER}", re.IGNORECASE)


class Claim(StrEnum):
    """What a text states."""

    DEFAULT = "default"
    MAXIMUM = "maximum"
    MINIMUM = "minimum"


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement: its kind, its value as text, and the words that make it."""

    claim: Claim
    value: str
    words: str


def stated(text: str) -> Iterator[Stated]:
    """Yield the first statement of each kind; several of one kind say that the text is more subtle."""
    for claim, expression in (
        (Claim.DEFAULT, _DEFAULT),
        (Claim.MAXIMUM, _MAXIMUM),
        (Claim.MINIMUM, _MINIMUM),
    ):
        found = list(expression.finditer(text))
        if len(found) == 1:
            yield Stated(claim, found[0][1].rstrip("."), found[0][0])
    ranges = list(_RANGE.finditer(text))
    if len(ranges) == 1:
        yield Stated(Claim.MINIMUM, ranges[0][1], ranges[0][0])
        yield Stated(Claim.MAXIMUM, ranges[0][2], ranges[0][0])
