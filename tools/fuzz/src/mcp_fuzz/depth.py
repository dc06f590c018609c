"""How far a run goes."""

from enum import StrEnum


class Depth(StrEnum):
    """How many cases are made. In this version `quick` and `normal` are the same."""

    QUICK = "quick"
    NORMAL = "normal"
    DEEP = "deep"
