"""What carries a launched process on each platform, and how its start can fail."""

import errno
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from anyio.abc import ByteReceiveStream, ByteSendStream

from mcp_check_core.process.sample import Sample


@dataclass(frozen=True)
class LaunchSpec:
    """A command to launch: its words, its whole environment, and the folder to run it in.

    `marker` is the value of the environment marker, None for one that no other launch has. `enclosure` are
    the words of a program that makes a sandbox and starts the command in it (`sandbox.py`).
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: Path | None = None
    marker: str | None = None
    enclosure: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exit:
    """How a process ended: by a code or by a signal, or neither where that could not be seen."""

    code: int | None = None
    signal: int | None = None


class SpawnError(Exception):
    """A command could not be started; `code` is the name of the system's error, such as `ENOENT`."""

    def __init__(self, code: str, message: str) -> None:
        """Keep `code` and the one sentence that says what is wrong as `message`."""
        super().__init__(message)
        self.code = code
        self.message = message


class Carrier(Protocol):
    """A started process and the platform's hold on its whole tree."""

    pid: int
    holder_pid: int
    """The sentinel on POSIX, the process itself elsewhere."""

    @property
    def stdin(self) -> ByteSendStream:
        """The writing end of the process's standard input."""

    @property
    def stdout(self) -> ByteReceiveStream:
        """The reading end of the process's standard output."""

    @property
    def stderr(self) -> ByteReceiveStream:
        """The reading end of the process's standard error."""

    def look(self, at_most: int | None = None) -> Sample:
        """Return what the processes of the tree use now, up to `at_most`; may be called in a thread."""

    async def next_exit(self) -> Exit | None:
        """Return how the process ended once it has; None once the carrier itself is gone."""

    def terminate(self) -> None:
        """Ask the process and its group to end."""

    def end(self, *, at_once: bool) -> None:
        """End the whole tree, with a grace of half a second for each process unless `at_once`."""

    def abandon(self) -> None:
        """Kill the carrier itself, where it no longer answers."""

    def close(self) -> None:
        """Let go, at once: the carrier ends the tree and then itself, after which `next_exit` is None."""

    def sweep(self, known: Mapping[int, float], marker: str) -> None:
        """End what outlived the carrier: of `known` (pid to start) what lives, its descendants, the marked.

        Blocks for up to some seconds, so it is called in a thread.
        """

    async def reap(self) -> None:
        """Collect the carrier once it has ended; the three streams stay open."""


def refuse_empty(spec: LaunchSpec) -> None:
    """Raise `SpawnError` where there is no word to launch."""
    if not spec.argv or not spec.argv[0]:
        raise SpawnError("EINVAL", "cannot start an empty command")


async def close_streams(carrier: Carrier) -> None:
    """Close our ends of the pipes to the process."""
    for stream in (carrier.stdin, carrier.stdout, carrier.stderr):
        await stream.aclose()


def spawn_error(spec: LaunchSpec, number: int, stage: str = "command") -> SpawnError:
    """Return the error for a start that failed with errno `number`, one sentence that names the command.

    `stage` is what failed: `cwd` for entering the folder, `sandbox` for making the sandbox.
    """
    code = errno.errorcode.get(number, str(number))
    start = f"cannot start {spec.argv[0]!r}: "
    if stage == "sandbox":
        why = f" ({os.strerror(number)})" if number else ""
        return SpawnError(code if number else "EPROTO", f"{start}its sandbox could not be made{why}")
    if stage == "cwd":
        return SpawnError(code, f"{start}the working folder {str(spec.cwd)!r} {_folder_fault(number)}")
    return SpawnError(code, start + _command_fault(spec, number))


def _folder_fault(number: int) -> str:
    known = {errno.ENOENT: "does not exist", errno.ENOTDIR: "is not a folder"}
    return known.get(number, f"cannot be entered ({os.strerror(number)})")


def _command_fault(spec: LaunchSpec, number: int) -> str:
    command = spec.argv[0]
    path = (spec.cwd or Path()) / command
    if number == errno.ENOENT:
        if path.exists() if os.sep in command else shutil.which(command, path=spec.env.get("PATH")):
            if spec.enclosure:
                return "it, or the interpreter that its first line names, cannot be seen inside the sandbox"
            return "the file is there, but the interpreter that its first line names is not"
        return "no such file" if os.sep in command else "no such command on PATH"
    if number == errno.EACCES:
        is_folder = os.sep in command and path.is_dir()
        return "it is a folder, not a program" if is_folder else "it is not executable"
    if number == errno.ENOEXEC:
        return "it is no program that this system can run"
    return os.strerror(number)
