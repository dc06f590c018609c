"""How the tests run the toy: as a person would, in a process of its own."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[4]
COMMAND = (sys.executable, "-W", "error", "-m", "tools.core.tests.cli.toy")


def environment(**more: str) -> dict[str, str]:
    """Return our environment without what colours output."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    return kept | more


def toy(
    *words: str, env: Mapping[str, str] | None = None, text: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run the toy on `words` to its end."""
    return subprocess.run(
        [*COMMAND, *words],
        cwd=ROOT,
        env=environment(**(env or {})),
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def on_terminal(*words: str, env: Mapping[str, str]) -> str:
    """Run the toy with its stdout on a terminal, and return what it shows there."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, *words], cwd=ROOT, env=environment(**env), stdin=theirs, stdout=theirs, stderr=theirs
    ) as running:
        os.close(theirs)
        shown = b"".join(_pieces(ours))
        running.wait(60)
    os.close(ours)
    return shown.decode()


def _pieces(terminal: int) -> Iterator[bytes]:
    """Read until the terminal is closed, which Linux tells by an error."""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            return
        if not piece:
            return
        yield piece
