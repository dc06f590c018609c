"""The names of the decision gate, apart so that reading the command line stays fast."""

from enum import StrEnum


class FailOn(StrEnum):
    """The mildest result that fails the command."""

    NEVER = "never"
    BLOCK = "block"
    FIX = "fix"
    REVIEW = "review"
