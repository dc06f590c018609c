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

    A call that turns out later to have ended the server gets a second line.
    """

    def __init__(self, path: Path, redact: Callable[[Json], Json]) -> None:
        """Open `path` for writing. Raises OSError."""
        self._file = path.open("wb", buffering=0)
        self._redact = redact

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
        self._file.close()

    def _write(self, line: dict[str, Json]) -> None:
        safe = self._redact(line)
        self._file.write(dump_line(safe if isinstance(safe, dict) else {}))
