"""What a sandbox is, to those who run something in it."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from mcp_check_core.process.carrier import LaunchSpec
from mcp_check_core.process.working_copy import WorkingCopy


class SandboxKind(StrEnum):
    """By what a sandbox is made."""

    BUBBLEWRAP = "bubblewrap"
    NAMESPACES = "namespaces"


class SandboxUnavailable(Exception):  # noqa: N818 - it says what is the case, not what went wrong
    """There can be no sandbox; `message` is one sentence that says why."""

    def __init__(self, message: str) -> None:
        """Keep the sentence as `message`."""
        super().__init__(message)
        self.message = message


@dataclass(frozen=True)
class Sandboxed:
    """A launch that runs in a sandbox, as often as it is launched, and where on the machine its files are.

    `work`, `home` and `temp` are the folders that the server sees as its working folder, home and /tmp;
    each may hold empty places at which something read-only is shown inside. `copy` says what of the working
    folder is not in `work`, and `notes` say in a sentence each what a report should: the kind of sandbox,
    why not another one, what the copy is without.
    """

    spec: LaunchSpec
    kind: SandboxKind
    work: Path
    home: Path
    temp: Path
    copy: WorkingCopy
    notes: tuple[str, ...]
