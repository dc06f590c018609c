"""Finds and ends the processes of one launch with the standard library alone.

The sentinel runs this without site-packages, so nothing here may import a dependency. On Linux the
facts come from /proc; elsewhere from one `ps` snapshot, which shows no environment: there a process is
found by its parents and its process group, not by the marker.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from mcp_check_core.process import _proc
from mcp_check_core.process.marker import MARKER

assert sys.platform != "win32"  # noqa: S101 - the form that type checkers read

KILL_PATIENCE_S = 5.0
"""How long `end` goes on killing; what is alive after that is another user's or stuck in the kernel."""

PAUSE_S = 0.01
_HAS_PROC = sys.platform == "linux"


class Entry(NamedTuple):
    """One row of the process table; `dead` means a zombie that waits for its parent."""

    pid: int
    parent: int
    group: int
    dead: bool


def snapshot() -> list[Entry]:
    """Return the process table of the machine as this user may see it."""
    return _snapshot_proc() if _HAS_PROC else _snapshot_ps()


def descendants(root: int) -> set[int]:
    """Return the living processes below `root`."""
    if _proc.has_children_files(root):
        found = {pid for pid in _proc.walk(root) if (stat := _proc.read(pid)) and not stat.dead}
    else:
        table = snapshot()
        found = living(below([root], table), table)
    return found - {root}


def below(roots: Iterable[int], table: Iterable[Entry]) -> set[int]:
    """Return every descendant of `roots`, the roots themselves left out."""
    children: dict[int, list[int]] = {}
    for entry in table:
        children.setdefault(entry.parent, []).append(entry.pid)
    found: set[int] = set()
    queue = list(roots)
    while queue:
        for child in children.get(queue.pop(), ()):
            if child not in found:
                found.add(child)
                queue.append(child)
    return found


def marked(marker: str, table: Iterable[Entry]) -> set[int]:
    """Return the processes whose starting environment carries `marker` (Linux; elsewhere none)."""
    if not _HAS_PROC:
        return set()
    needle = f"{MARKER}={marker}".encode()
    return {entry.pid for entry in table if needle in _read(f"/proc/{entry.pid}/environ").split(b"\0")}


def living(pids: Iterable[int], table: Iterable[Entry]) -> set[int]:
    """Return those of `pids` that are in the table and no zombies."""
    return {entry.pid for entry in table if not entry.dead}.intersection(pids)


def end(
    find: Callable[[], set[int]], grace_s: float, pause: Callable[[float], None] = time.sleep
) -> set[int]:
    """End every process that `find` returns, asking again until it returns none.

    SIGTERM first where `grace_s` is not zero; then all are stopped before any is killed, so that a
    process which keeps forking cannot outrun the loop. Returns what is alive after `KILL_PATIENCE_S`.
    """
    if grace_s > 0 and (present := find()):
        _signal(present, signal.SIGTERM)
        _signal(present, signal.SIGCONT)
        _wait_until_gone(find, grace_s, pause)
    deadline = time.monotonic() + KILL_PATIENCE_S
    while (present := find()) and time.monotonic() < deadline:
        _signal(_freeze(present, find, deadline), signal.SIGKILL)
        pause(PAUSE_S)
    return present


def _freeze(present: set[int], find: Callable[[], set[int]], deadline: float) -> set[int]:
    """Stop all, each before its children are looked up: those of a stopped process grow no more."""
    stopped: set[int] = set()
    queue = list(present)
    while queue and time.monotonic() < deadline:
        pid = queue.pop()
        if pid not in stopped:
            stopped.add(pid)
            _signal([pid], signal.SIGSTOP)
            queue.extend(_proc.children(pid))
        queue = queue or list(find() - stopped)
    return stopped


def _wait_until_gone(find: Callable[[], set[int]], grace_s: float, pause: Callable[[float], None]) -> None:
    deadline = time.monotonic() + grace_s
    while time.monotonic() < deadline and find():
        pause(PAUSE_S)


def _signal(pids: Iterable[int], number: int) -> None:
    """Signal the groups of `pids`: a group is reached whole, with what it forks at that moment.

    A launched process leads its own session, so its tree's groups hold nobody else.
    """
    ours = os.getpgrp()
    reached: set[int] = set()
    for pid in pids:
        try:
            group = os.getpgid(pid)
            if group == ours:
                os.kill(pid, number)
            elif group not in reached:
                reached.add(group)
                os.killpg(group, number)
        except (ProcessLookupError, PermissionError):
            continue  # ended meanwhile, or another user's: `end` returns the latter as alive


def _snapshot_proc() -> list[Entry]:
    table = []
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib would double the start-up of the sentinel
        if name.isdigit() and (stat := _read(f"/proc/{name}/stat")):
            # The command between the brackets may itself hold brackets and blanks.
            state, parent, group = stat[stat.rindex(b")") + 2 :].split(b" ", 3)[:3]
            table.append(Entry(int(name), int(parent), int(group), state in (b"Z", b"X")))
    return table


def _snapshot_ps() -> list[Entry]:
    import subprocess  # noqa: PLC0415 - only where there is no /proc: it doubles the sentinel's start-up

    command = ["/bin/ps", "-axo", "pid=,ppid=,pgid=,stat="]
    listing = subprocess.run(command, capture_output=True, check=True, timeout=KILL_PATIENCE_S)
    rows = [line.split() for line in listing.stdout.splitlines()]
    return [Entry(int(row[0]), int(row[1]), int(row[2]), row[3].startswith(b"Z")) for row in rows]


def _read(path: str) -> bytes:
    """Return the file's bytes, or none where the process ended meanwhile or belongs to somebody else."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        parts = []
        while part := os.read(descriptor, 65536):
            parts.append(part)
        return b"".join(parts)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
