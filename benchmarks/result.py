"""One measurement and its bound."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """What was measured, in seconds, and how much it may be."""

    name: str
    seconds: float
    bound: float

    @property
    def holds(self) -> bool:
        """Whether the measurement is within its bound."""
        return self.seconds <= self.bound

    def __str__(self) -> str:
        """One line of a table."""
        verdict = "ok" if self.holds else "OVER"
        return f"{self.name:<44} {self.seconds:7.3f} s  of {self.bound:7.3f} s  {verdict}"
