"""One live line on stderr, on a terminal alone."""

import shutil
import sys
from types import TracebackType
from typing import Self


class Progress:
    """Shows what a check is doing; shows nothing where stderr is not a terminal."""

    def __init__(self, program: str) -> None:
        """Take the name that stands in front of the line."""
        self._program = program
        self._live = sys.stderr.isatty()

    def __enter__(self) -> Self:
        """Start."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the line away."""
        if self._live:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def show(self, text: str) -> None:
        """Replace the line. `text` is printable ASCII of ours, or sanitised."""
        if self._live:
            width = shutil.get_terminal_size((80, 24)).columns
            sys.stderr.write(f"\r\x1b[K{f'{self._program}: {text}'[: width - 1]}")
            sys.stderr.flush()
