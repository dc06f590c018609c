"""Our standard output, whose reader may leave at any time (`| head -1`)."""

import os
import sys


def write_stdout(data: bytes) -> None:
    """Write bytes to stdout at once; where its reader has left, that is no error and changes no exit code."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        reader_left()


def reader_left() -> None:
    """Let all that is still to be written go nowhere, so that the interpreter's last flush cannot fail."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
