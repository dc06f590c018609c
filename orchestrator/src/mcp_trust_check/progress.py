"""What the tools are doing, on stderr: a live line each on a terminal, plain lines in CI, else nothing."""

import os
import shutil
import sys
from collections.abc import Mapping
from typing import TextIO


class Progress:
    """Shows what each tool is doing. `texts` are printable and ours."""

    def __init__(self, stream: TextIO | None = None, environ: Mapping[str, str] | None = None) -> None:
        """Write to `stream` (default: stderr), by what it is and what `CI` says in `environ`."""
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._plain = not self._live and (os.environ if environ is None else environ).get("CI") == "true"
        self._lines: dict[str, str] = {}

    def show(self, tool: str, text: str) -> None:
        """Say what a tool is doing now."""
        if self._plain:
            self._stream.write(f"{tool}: {text}\n")
        if self._live:
            drawn = len(self._lines)
            self._lines[tool] = text
            self._stream.write(f"\x1b[{drawn}F" if drawn else "")
            self._draw()
        self._stream.flush()

    def clear(self) -> None:
        """Take the live lines away."""
        if self._live and self._lines:
            self._stream.write(f"\x1b[{len(self._lines)}F\x1b[J")
            self._stream.flush()
            self._lines = {}

    def _draw(self) -> None:
        width = shutil.get_terminal_size((80, 24)).columns
        for tool, text in self._lines.items():
            self._stream.write(f"\x1b[2K{f'{tool}: {text}'[: width - 1]}\n")
