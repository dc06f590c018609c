"""Forks the processes of a launch: the server itself, and what makes the sandbox that it starts in.

Run by the sentinel and inside the sandbox without site-packages, so nothing here may import a dependency.
"""

import ctypes
import fcntl
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn

assert sys.platform != "win32"  # noqa: S101 - the form that type checkers read

REPORT, GATE = 3, 4
"""In a sandbox's processes: the pipe to the sentinel, and the one by which it lets the server go."""
STREAMS = (5, 6, 7)
"""There, the pipes meant for the server, which is the only one to have them as its 0, 1 and 2."""

_PR_SET_PDEATHSIG = 1
_LAST_DESCRIPTOR = 1 << 20
_OUT_OF_THE_WAY = 10
_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def start(
    command: Sequence[str],
    cwd: str,
    *,
    forked: Callable[[int], None] | None = None,
    gate: int | None = None,
    streams: Sequence[int] = (0, 1, 2),
) -> tuple[int, str]:
    """Fork the server; return its pid and, where it could not be started, the stage and errno.

    With `gate` it waits for a byte there first; `forked` is called with its pid meanwhile.
    """
    reader, writer = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        _become_server(list(command), cwd, writer, parent, gate, streams)
    os.close(writer)
    if forked is not None:
        forked(pid)
    failure = os.read(reader, 256).decode()
    os.close(reader)
    return pid, failure


def start_holder(command: Sequence[str]) -> tuple[int, int]:
    """Fork the program that makes a sandbox; return the reading end of its report and the gate."""
    report, their_report = os.pipe()
    their_gate, gate = os.pipe()
    parent = os.getpid()
    if os.fork() == 0:
        _become_holder(list(command), (their_report, their_gate), parent)
    os.close(their_report)
    os.close(their_gate)
    return report, gate


def die_with_parent(parent: int) -> None:
    """Be killed when our parent ends (Linux), and at once where it is no longer `parent`."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)


def let_go_of_streams() -> None:
    """Point our own 0, 1 and 2 elsewhere, so that the server's ends of its pipes are the only ones."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)


def tell(report: int, line: str) -> None:
    """Write one line to a pipe; that nobody reads it any more is no reason to stop."""
    with suppress(BrokenPipeError):
        os.write(report, line.encode() + b"\n")


def _become_server(
    command: list[str], cwd: str, report: int, parent: int, gate: int | None, streams: Sequence[int]
) -> NoReturn:
    """Turn the forked child into the server; `report` closes by itself when that works."""
    stage = "session"
    try:
        if gate is not None and not os.read(gate, 1):
            os._exit(1)
        for number, stream in enumerate(streams):
            if stream != number:
                os.dup2(stream, number)
        report = os.dup2(report, 3, inheritable=False)
        os.setsid()
        _default_signals()
        die_with_parent(parent)
        os.closerange(report + 1, _LAST_DESCRIPTOR)
        if cwd:
            stage = "cwd"
            os.chdir(cwd)
        stage = "command"
        os.execvpe(command[0], command, os.environ)
    except OSError as error:
        os.write(report, f"{stage} {error.errno}".encode())
    finally:
        os._exit(127)


def _become_holder(command: list[str], pipes: tuple[int, int], parent: int) -> NoReturn:
    """Turn the forked child into the program that makes a sandbox, deaf to what asks the server to end."""
    try:
        sources = [fcntl.fcntl(number, fcntl.F_DUPFD, _OUT_OF_THE_WAY) for number in (*pipes, 0, 1, 2)]
        for source, target in zip(sources, (REPORT, GATE, *STREAMS), strict=True):
            os.dup2(source, target)
        let_go_of_streams()
        os.setsid()
        _default_signals()
        for number in _STOPPING:
            signal.signal(number, signal.SIG_IGN)
        die_with_parent(parent)
        os.closerange(STREAMS[-1] + 1, _LAST_DESCRIPTOR)
        os.execvpe(command[0], command, os.environ)
    except OSError as error:
        tell(REPORT, f"failed sandbox {error.errno}")
    finally:
        os._exit(127)


def _default_signals() -> None:
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        if signal.getsignal(number) is not signal.SIG_DFL:
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
