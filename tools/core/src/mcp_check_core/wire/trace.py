"""Record every frame as JSON lines (`--trace FILE`)."""

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import orjson

from mcp_check_core.model.bounds import cut_bytes
from mcp_check_core.wire.transcript import Frame

TRACE_TEXT_BYTES = 1024 * 1024
"""Bytes of one frame that are recorded; more is counted in `bytes`."""


class TraceWriter:
    """Writes one JSON line a frame: direction, line number, phase, milliseconds, bytes, text, faults.

    `redact` is applied to each text. Lines are written at once, so that a trace survives a kill. A file that
    cannot be written any more is let go; `failure` says why, and the check goes on.
    """

    def __init__(self, path: Path, redact: Callable[[str], str]) -> None:
        """Open `path` for writing. Raises OSError."""
        self._file: BinaryIO = path.open("wb")
        self._redact = redact
        self.failure: str | None = None

    def __call__(self, frame: Frame, data: bytes) -> None:
        """Record one frame with its bytes."""
        if self.failure is not None:
            return
        record = {
            "direction": frame.direction.value,
            "line": frame.number,
            "phase": frame.phase.value,
            "atMs": round(frame.at_ms, 1),
            "bytes": frame.size,
            "during": frame.during and self._shown(frame.during),
            "late": frame.late,
            "faults": [fault.code.value for fault in frame.faults],
            "text": self._shown(cut_bytes(data, TRACE_TEXT_BYTES)),
        }
        try:
            self._file.write(orjson.dumps(record) + b"\n")
            self._file.flush()
        except OSError as problem:
            self.failure = f"the trace could not be written: {problem.strerror or problem}"

    def close(self) -> None:
        """Close the file."""
        try:
            self._file.close()
        except OSError as problem:
            self.failure = self.failure or f"the trace could not be written: {problem.strerror or problem}"

    def _shown(self, text: str) -> str:
        return self._redact(text).encode("utf-8", "backslashreplace").decode("utf-8")
