"""The small process that a launched server hangs on, and that ends the server's whole tree.

It is started with the pipes meant for the server as its 0, 1 and 2, a control pipe and a status pipe.
On Linux it is the subreaper of its descendants (prctl(2), PR_SET_CHILD_SUBREAPER), so that none leaves
its tree: not by a double fork, nor `setsid`, nor a scrubbed environment. Elsewhere what left both the
tree and the process group is out of its reach; the launching process remembers what it saw of those.

Control, one byte each: `T` SIGTERM to the server's group, `E` end the tree with a grace, `K` end it at
once. When the control pipe closes, also because we were killed, the tree is ended and the sentinel exits.
Status, one line each: `started PID`, `failed STAGE ERRNO`, then `exit CODE` or `signal NUMBER`.
"""

import ctypes
import os
import select
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from mcp_check_core.process.marker import MARKER

if sys.platform != "win32":
    from mcp_check_core.process.tree import descendants, end, living, marked, snapshot

assert sys.platform != "win32"  # noqa: S101 - the form that type checkers read

GRACE_S = 0.5
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_LAST_DESCRIPTOR = 1 << 20


class Sentinel:
    """Reaps what ends below it, reports the end of the server, ends the rest when told to."""

    def __init__(self, control: int, status: int, server: int, wake: int) -> None:
        """Watch over `server`, a child of this process; `wake` is readable once a child has ended."""
        self._control, self._status, self._server, self._wake = control, status, server, wake
        self._running = True
        self._orphans_leave = sys.platform != "linux"
        self._marker = os.environ.get(MARKER, "")

    def serve(self) -> None:
        """Follow the control pipe until it closes, then end the tree."""
        poller = select.poll()
        poller.register(self._control, select.POLLIN)
        poller.register(self._wake, select.POLLIN)
        while True:
            ready = dict(poller.poll())
            self._reap()
            if self._control in ready:
                commands = os.read(self._control, 64)
                hurry()
                if not commands:
                    break
                for command in commands:
                    self._obey(command)
        end(self._tree, GRACE_S, self._pause)

    def _obey(self, command: int) -> None:
        if command == ord("T"):
            self._signal_group(signal.SIGTERM)
            self._signal_group(signal.SIGCONT)
        elif command == ord("E"):
            end(self._tree, GRACE_S, self._pause)
        elif command == ord("K"):
            self._signal_group(signal.SIGKILL)  # before any search: the machine may be full of its forks
            end(self._tree, 0.0, self._pause)

    def _signal_group(self, number: int) -> None:
        """Signal the server's group, where the server is not reaped and the number thus still its own."""
        try:
            if self._running:
                os.killpg(self._server, number)
        except PermissionError:
            return  # it became another user's; the caller's deadline goes on running

    def _tree(self) -> set[int]:
        """Return what is to be ended; the marker, which is slow to look for, when nothing else is left."""
        if present := descendants(os.getpid()):
            return present
        table = snapshot()
        group = {entry.pid for entry in table if entry.group == self._server and self._orphans_leave}
        return living(group | marked(self._marker, table), table) - {os.getpid()}

    def _pause(self, seconds: float) -> None:
        select.select([self._wake], [], [], seconds)
        self._reap()

    def _reap(self) -> None:
        if select.select([self._wake], [], [], 0)[0]:
            os.read(self._wake, 4096)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self._server:
                self._running = False
                code = os.waitstatus_to_exitcode(status)
                tell(self._status, f"exit {code}" if code >= 0 else f"signal {-code}")


def main(arguments: Sequence[str]) -> int:
    """Run as `CONTROL STATUS CWD COMMAND...`, descriptors as numbers, an empty CWD for the present one."""
    control, status, cwd, *command = arguments
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    _adopt_orphans()
    wake = _wake_on_child()
    server, failure = _start(command, cwd)
    _let_go_of_pipes()
    if failure:
        os.waitpid(server, 0)
        tell(int(status), f"failed {failure}")
        return 1
    tell(int(status), f"started {server}")
    Sentinel(int(control), int(status), server, wake).serve()
    return 0


def hurry() -> None:
    """Run before everything else from now on where that is allowed: a tree of forks leaves little time."""
    if sys.platform == "linux":
        with suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def tell(status: int, line: str) -> None:
    """Write one line to the status pipe; that nobody reads it any more is no reason to stop."""
    try:
        os.write(status, line.encode() + b"\n")
    except BrokenPipeError:
        return


def _start(command: list[str], cwd: str) -> tuple[int, str]:
    """Fork the server; return its pid and, where it could not be started, the stage and errno."""
    reader, writer = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        _become(command, cwd, writer, parent)
    os.close(writer)
    failure = os.read(reader, 256).decode()
    os.close(reader)
    return pid, failure


def _become(command: list[str], cwd: str, report: int, parent: int) -> NoReturn:
    """Turn the forked child into the server; `report` closes by itself when that works."""
    stage = "session"
    try:
        report = os.dup2(report, 3, inheritable=False)
        os.setsid()
        _default_signals()
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != parent:
                os._exit(1)
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


def _default_signals() -> None:
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        if signal.getsignal(number) is not signal.SIG_DFL:
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _adopt_orphans() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _wake_on_child() -> int:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return reader


def _let_go_of_pipes() -> None:
    """Point our own 0, 1 and 2 elsewhere, so that the server's ends of them are the only ones."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
