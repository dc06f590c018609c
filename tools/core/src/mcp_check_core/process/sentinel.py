"""The small process that a launched server hangs on, and that ends the server's whole tree.

It is started with the pipes meant for the server as its 0, 1 and 2, a control pipe and a status pipe.
On Linux it is the subreaper of its descendants (prctl(2), PR_SET_CHILD_SUBREAPER), so that none leaves
its tree: not by a double fork, nor `setsid`, nor a scrubbed environment. Elsewhere what left both the
tree and the process group is out of its reach; the launching process remembers what it saw of those.

Control, one byte each: `T` SIGTERM to the server's group, `E` end the tree with a grace, `K` end it at
once. When the control pipe closes, also because we were killed, the tree is ended and the sentinel exits.
Status, one line each: `started PID HOLDER…`, `failed STAGE ERRNO`, then `exit CODE` or `signal NUMBER`.

A server in a sandbox is no child of the sentinel: programs that make and hold the sandbox stand between
(`enclosure.py`), the holders. The last of them reports how the server ended, over a pipe of its own.
"""

import ctypes
import os
import select
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress

from mcp_check_core.process.marker import MARKER

if sys.platform != "win32":
    from mcp_check_core.process import _proc
    from mcp_check_core.process.birth import let_go_of_streams, start, start_holder, tell
    from mcp_check_core.process.tree import descendants, end, living, marked, snapshot

assert sys.platform != "win32"  # noqa: S101 - the form that type checkers read

GRACE_S = 0.5
_PR_SET_CHILD_SUBREAPER = 36
_SANDBOX_PATIENCE_S = 30.0


class Sentinel:
    """Reaps what ends below it, reports the end of the server, ends the rest when told to."""

    def __init__(self, control: int, status: int, server: int, wake: int, report: int | None) -> None:
        """Watch over `server`, a child of this process; `wake` is readable once a child has ended.

        With `report` the server is in a sandbox, and its end is told there.
        """
        self._control, self._status, self._server, self._wake = control, status, server, wake
        self._report = report
        self._running = True
        self._orphans_leave = sys.platform != "linux"
        self._marker = os.environ.get(MARKER, "")

    def serve(self) -> None:
        """Follow the control pipe until it closes, then end the tree."""
        poller = select.poll()
        poller.register(self._control, select.POLLIN)
        poller.register(self._wake, select.POLLIN)
        if self._report is not None:
            poller.register(self._report, select.POLLIN)
        while True:
            ready = dict(poller.poll())
            self._reap()
            if self._report in ready:
                poller.unregister(self._report)
                self._pass_on_end()
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
        watched = [self._wake, *([self._report] if self._report is not None and self._running else [])]
        if self._report in select.select(watched, [], [], seconds)[0]:
            self._pass_on_end()
        self._reap()

    def _pass_on_end(self) -> None:
        """Pass on how a server in a sandbox ended: killed, where its holder was and could not say."""
        if self._report is not None and self._running:
            line = os.read(self._report, 64).decode().strip()
            self._running = False
            tell(self._status, line or f"signal {int(signal.SIGKILL)}")

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
            if pid == self._server and self._report is None:
                self._running = False
                code = os.waitstatus_to_exitcode(status)
                tell(self._status, f"exit {code}" if code >= 0 else f"signal {-code}")


def main(arguments: Sequence[str]) -> int:
    """Run as `CONTROL STATUS CWD ENCLOSURE COMMAND...`.

    Descriptors are numbers, CWD is empty for the present one, and ENCLOSURE says how many of the first words
    of COMMAND lead into a sandbox.
    """
    control, status, cwd, enclosure, *command = arguments
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    _adopt_orphans()
    wake = _wake_on_child()
    if words := int(enclosure):
        return _serve_enclosed([*command[:words], cwd, *command[words:]], int(control), int(status), wake)
    server, failure = start(command, cwd)
    let_go_of_streams()
    if failure:
        os.waitpid(server, 0)
        tell(int(status), f"failed {failure}")
        return 1
    tell(int(status), f"started {server}")
    Sentinel(int(control), int(status), server, wake, None).serve()
    return 0


def _serve_enclosed(command: list[str], control: int, status: int, wake: int) -> int:
    """Start the holders of a sandbox, let the server go once its pid is known, and watch over it."""
    report, gate = start_holder(command)
    let_go_of_streams()
    match _line(report).split():
        case ["held", inner] if server := _seen_from_here(int(inner)):
            os.write(gate, b"g")
            os.close(gate)
        case ["failed", stage, number]:
            return _give_up(status, f"failed {stage} {number}")
        case _:
            return _give_up(status, "failed sandbox 0")
    outcome = _line(report)
    if outcome != "started":
        return _give_up(status, outcome or "failed sandbox 0")
    holders = _above(server)
    tell(status, " ".join(["started", str(server), *map(str, holders)]))
    Sentinel(control, status, server, wake, report).serve()
    return 0


def _give_up(status: int, line: str) -> int:
    end(lambda: descendants(os.getpid()), 0.0)
    tell(status, line)
    return 1


def _line(report: int) -> str:
    """Read one line, byte by byte so that none of the next is taken; empty at the end or out of patience."""
    deadline = time.monotonic() + _SANDBOX_PATIENCE_S
    line = b""
    while not line.endswith(b"\n"):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([report], [], [], left)[0] or not (byte := os.read(report, 1)):
            return ""
        line += byte
    return line.decode().strip()


def _seen_from_here(inner: int) -> int:
    """Return the pid of the descendant that is `inner` in the namespace below ours; 0 for none."""
    depth = len(_proc.namespaced(os.getpid()))
    for pid in descendants(os.getpid()):
        numbers = _proc.namespaced(pid)
        if len(numbers) == depth + 1 and numbers[-1] == inner:
            return pid
    return 0


def _above(server: int) -> list[int]:
    """Return the holders between the sentinel and `server`."""
    parents = {entry.pid: entry.parent for entry in snapshot()}
    holders = []
    pid = parents.get(server, 0)
    while pid not in (0, os.getpid()):
        holders.append(pid)
        pid = parents.get(pid, 0)
    return holders


def hurry() -> None:
    """Run before everything else from now on where that is allowed: a tree of forks leaves little time."""
    if sys.platform == "linux":
        with suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def _adopt_orphans() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _wake_on_child() -> int:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return reader
