"""Bounds of what is generated, and how a generator says that it stops."""

import math
from dataclasses import dataclass

from mcp_check_core.judges.shape import children
from mcp_check_core.model.json_value import Json

STRING_CHARACTERS = 100_000
ARRAY_ITEMS = 1_000
OBJECT_MEMBERS = 1_000
VALUE_LEVELS = 50
VALUE_CHARACTERS = 1_000_000
SCHEMA_VALUES = 50_000
"""Values in a schema that is compiled; above it nothing is judged. One of that size takes about 0.3 s."""
STEPS = 10_000
"""Schemas that are looked at for one value, all tries together."""
PATTERN_STEPS = 4
"""Steps that a pattern counts for, since it is compiled."""
BRANCHES = 20
"""Branches of one anyOf or oneOf that are tried."""


class CannotMakeError(Exception):
    """There is no value for a schema, or none within bounds; the message is the reason in a few words.

    `placed` says that the message begins with the place.
    """

    def __init__(self, reason: str, *, placed: bool = False) -> None:
        """Take the reason."""
        super().__init__(reason)
        self.placed = placed


class SpentError(CannotMakeError):
    """The bounds of the whole value are used up: no other branch will help."""


@dataclass(slots=True)
class Budget:
    """What may still be spent on one value: steps and characters."""

    steps: int = STEPS
    characters: int = VALUE_CHARACTERS

    def step(self, count: int = 1) -> None:
        """Count schemas that are looked at. Raises SpentError."""
        self.steps -= count
        if self.steps < 0:
            raise SpentError(f"it takes more than {STEPS} steps to make a value")

    def spend(self, characters: int) -> None:
        """Count characters of the value. Raises SpentError."""
        self.characters -= characters
        if self.characters < 0:
            raise SpentError(f"the smallest value is over {VALUE_CHARACTERS} characters")


def weight(value: Json) -> int:
    """Count the characters of the texts in a value, and one for each other member or item.

    Raises CannotMakeError for what is not sent: deeper nesting, infinity. Takes no recursion.
    """
    total = 0
    level = [value]
    for _ in range(VALUE_LEVELS + 1):
        total += sum(len(item) if isinstance(item, str) else 1 for item in level)
        if any(isinstance(item, float) and not math.isfinite(item) for item in level):
            raise CannotMakeError("a value that it states is a number that JSON has not")
        total += sum(len(name) for item in level if isinstance(item, dict) for name in item)
        level = [child for item in level for child in children(item)]
        if not level:
            return total
    raise CannotMakeError(f"a value that it states is nested deeper than {VALUE_LEVELS} levels")
