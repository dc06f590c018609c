"""Exit codes, the same in every command."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from mcp_check_core.model.finding import Severity
from mcp_check_core.model.report import Report, Status


class ExitCode(IntEnum):
    """What a command's exit code says.

    `GATE`: the check ran and the gate does not hold. `UNUSABLE`: wrong usage, or the check could not be made.
    """

    OK = 0
    GATE = 1
    UNUSABLE = 2
    INTERRUPTED = 130


class FailOn(StrEnum):
    """The mildest severity that fails a run."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Gate:
    """What a run must keep to: no finding at or above `fail_on`, a score of `fail_under` or more (0: any)."""

    fail_on: FailOn = FailOn.NEVER
    fail_under: float = 0.0

    def broken_by(self, report: Report) -> str | None:
        """Say in one sentence why the gate does not hold, or None. A missing score fails a score gate."""
        if self.fail_on is not FailOn.NEVER:
            worst = Severity(self.fail_on.value)
            count = sum(finding.severity.rank <= worst.rank for finding in report.findings)
            if count:
                return f"{count} finding{'s' * (count > 1)} at or above {self.fail_on.value}"
        if self.fail_under > 0:
            if report.score is None:
                return f"there is no score, and --fail-under asks for {self.fail_under:g}"
            if report.score.value < self.fail_under:
                return f"the score {report.score.value:g} is under {self.fail_under:g}"
        return None


def exit_code(report: Report, gate: Gate, *, interrupted: bool) -> ExitCode:
    """Choose the exit code of a finished run."""
    if interrupted:
        return ExitCode.INTERRUPTED
    if gate.broken_by(report) is not None:
        return ExitCode.GATE
    return ExitCode.UNUSABLE if report.status is Status.INCOMPLETE else ExitCode.OK
