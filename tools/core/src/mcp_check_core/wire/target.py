"""What a runtime tool connects to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class StdioTarget:
    """A server that we start: its command, folder and whole environment.

    `passed` names the variables that the user added; values of those never leave the process.
    """

    argv: tuple[str, ...]
    cwd: Path | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    passed: tuple[str, ...] = ()
