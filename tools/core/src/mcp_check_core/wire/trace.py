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

    `redact` is applied to each text. Lines are flushed at once, so that a trace survives a kill.
    """

    def __init__(self, path: Path, redact: Callable[[str], str]) -> None:
        """Open `path` for writing. Raises OSError."""
        self._file: BinaryIO = path.open("wb", buffering=0)
        self._redact = redact

    def __call__(self, frame: Frame, data: bytes) -> None:
        """Record one frame with its bytes."""
        text = self._redact(cut_bytes(data, TRACE_TEXT_BYTES))
        record = {
            "direction": frame.direction.value,
            "line": frame.number,
            "phase": frame.phase.value,
            "atMs": round(frame.at_ms, 1),
            "bytes": frame.size,
            "during": frame.during,
            "late": frame.late,
            "faults": [fault.code.value for fault in frame.faults],
            "text": text.encode("utf-8", "backslashreplace").decode("utf-8"),
        }
        self._file.write(orjson.dumps(record) + b"\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()
