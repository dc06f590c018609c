"""Reads a process tree from Linux's /proc, each process by one read of its stat (proc_pid_stat(5))."""

import os
import sys
from collections.abc import Iterator
from typing import NamedTuple

assert sys.platform != "win32"  # noqa: S101 - the form that type checkers read

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class Stat(NamedTuple):
    """A process: when it started in ticks, resident bytes, CPU seconds of its own and of its waited-for."""

    started: float
    rss: int
    own_s: float
    waited_s: float
    dead: bool


def has_children_files(pid: int) -> bool:
    """Say whether the kernel has `children` files (CONFIG_PROC_CHILDREN) and `pid` is there."""
    return os.access(f"/proc/{pid}/task/{pid}/children", os.R_OK)


def walk(root: int) -> Iterator[int]:
    """Yield `root` and its descendants, by the `children` file of each thread."""
    queue = [root]
    seen = {root}
    while queue:
        pid = queue.pop()
        yield pid
        fresh = children(pid) - seen
        seen |= fresh
        queue.extend(fresh)


def children(pid: int) -> set[int]:
    """Return the children of `pid`, those of each thread; none where there is no such file."""
    found: set[int] = set()
    try:
        with os.scandir(f"/proc/{pid}/task") as threads:
            for thread in threads:
                found.update(map(int, _bytes(f"{thread.path}/children").split()))
    except OSError:
        return found  # it ended while we looked
    return found


def read(pid: int) -> Stat | None:
    """Return what is known of `pid`, or None where it is gone."""
    try:
        stat = _bytes(f"/proc/{pid}/stat")
    except OSError:
        return None
    # The command between the brackets may itself hold brackets and blanks.
    fields = stat[stat.rindex(b")") + 2 :].split()
    user, system, waited_user, waited_system = (int(field) / _TICKS_PER_S for field in fields[11:15])
    dead = fields[0] in (b"Z", b"X")
    rss = int(fields[21]) * _PAGE
    return Stat(float(fields[19]), rss, user + system, waited_user + waited_system, dead)


def namespaced(pid: int) -> list[int]:
    """Return the numbers of `pid` in each pid namespace from ours on inwards; none where it is gone."""
    try:
        status = _bytes(f"/proc/{pid}/status")
    except OSError:
        return []
    return [
        int(number) for row in status.splitlines() if row.startswith(b"NSpid:") for number in row.split()[1:]
    ]


def _bytes(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 1 << 20)
    finally:
        os.close(descriptor)
