"""What was seen of one tool's process, as data."""

from dataclasses import dataclass, field

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import LimitHit
from mcp_check_core.process.launch import Usage
from mcp_check_core.report.journal import JournalContents


@dataclass(frozen=True, slots=True)
class ToolRun:
    """One run of one tool.

    `failure` is one sentence where the process was not left to end by itself, or could not be started.
    `stdout` may then be a part. Times are monotonic seconds; `alone`: no other tool ran meanwhile.
    """

    short: str
    stdout: bytes = b""
    stderr_tail: str = ""
    exit_code: int | None = None
    signal: int | None = None
    failure: str | None = None
    limit: LimitHit | None = None
    journal: JournalContents | None = None
    usage: Usage = field(default_factory=Usage)
    began: float = 0.0
    ended: float = 0.0
    survivors: int = 0

    def overlaps(self, other: "ToolRun") -> bool:
        """Tell whether the two ran at the same time."""
        return self.began < other.ended and other.began < self.ended

    @property
    def ending(self) -> str:
        """Say how the process ended, as a part of a sentence."""
        if self.signal is not None:
            return f"was ended by signal {self.signal}"
        return "did not end as expected" if self.exit_code is None else f"exited with {self.exit_code}"

    @property
    def facts(self) -> dict[str, Json]:
        """What of the process may stand in a report."""
        facts: dict[str, Json] = {"exitCode": self.exit_code, "signal": self.signal}
        if self.stderr_tail:
            facts["stderr"] = self.stderr_tail
        return facts
