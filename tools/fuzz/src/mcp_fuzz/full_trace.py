"""The trace of all calls: a JSON line for each call, and one for each tool that was not called."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Skipped
from mcp_check_core.report.document import milliseconds, utc_text
from mcp_check_core.report.json_format import dump_line
from mcp_fuzz.facts.call import Call


class FullTrace:
    """Writes the lines as they come, so that they survive a kill. `redact` is applied to each.

    A call that turns out later to have ended the server gets a second line. A file that cannot be written
    any more is let go; `failure` says why, and the check goes on.
    """

    def __init__(self, path: Path, redact: Callable[[Json], Json]) -> None:
        """Open `path` for writing. Raises OSError."""
        self._file = path.open("wb", buffering=0)
        self._redact = redact
        self.failure: str | None = None

    def call(self, call: Call) -> None:
        """Write one call: what was sent in full, how it ended, when and for how long."""
        self._write(
            {
                "tool": call.case.tool,
                "phase": call.case.phase.value,
                "case": call.case.label,
                "property": call.case.pointer,
                "outcome": call.outcome.value,
                "detail": call.verdict.detail,
                "arguments": dict(call.case.arguments),
                "startedAt": utc_text(datetime.fromtimestamp(call.started_at, UTC)),
                "durationMs": milliseconds(call.duration_ms),
            }
        )

    def skipped(self, skipped: Skipped) -> None:
        """Write one tool that was not called."""
        self._write({"tool": skipped.tool, "skipped": skipped.reason})

    def close(self) -> None:
        """Close the file."""
        try:
            self._file.close()
        except OSError as problem:
            self._fail(problem)

    def _write(self, line: dict[str, Json]) -> None:
        if self.failure is not None:
            return
        safe = self._redact(line)
        try:
            self._file.write(dump_line(safe if isinstance(safe, dict) else {}))
        except OSError as problem:
            self._fail(problem)

    def _fail(self, problem: OSError) -> None:
        self.failure = (
            self.failure or f"the trace of calls could not be written: {problem.strerror or problem}"
        )
