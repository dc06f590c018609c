"""The one grade table."""

_FLOORS = ((90.0, "A"), (80.0, "B"), (70.0, "C"), (60.0, "D"))


def grade(value: float) -> str:
    """Give the letter of a score from 0 to 100: A from 90, B from 80, C from 70, D from 60, else F."""
    return next((letter for floor, letter in _FLOORS if value >= floor), "F")


def percentage(part: float, whole: float) -> float:
    """Share of `part` in `whole` from 0 to 100, with one decimal, never rounded up to a full 100.

    Raises ZeroDivisionError for an empty whole: that share does not exist.
    """
    value = round(100 * part / whole, 1)
    return 99.9 if value == 100.0 and part < whole else value
