"""What the processes of a tree use at one moment.

On Linux the tree is walked by /proc/PID/task/*/children and each process is one read of its stat: about
40 µs a process, however many others the machine runs. Elsewhere, and where the kernel
has no `children` files, psutil reads the whole process table: about 1 ms for 100 processes.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import psutil

from mcp_check_core.process.marker import MARKER

if sys.platform == "linux":
    from mcp_check_core.process import _proc

COMMAND_LENGTH = 200


@dataclass(frozen=True)
class Reading:
    """One process: its id, when it started (only to be compared), resident bytes and CPU seconds."""

    pid: int
    started: float
    rss: int
    cpu_s: float


@dataclass(frozen=True)
class Member:
    """A process of the tree as a report may name it; `command` is cut to `COMMAND_LENGTH`."""

    pid: int
    name: str
    command: str


@dataclass(frozen=True)
class Sample:
    """A tree at one moment; `cpu_s` counts also what ended and was waited for by a process that lives."""

    readings: tuple[Reading, ...]
    cpu_s: float

    @property
    def rss(self) -> int:
        """Resident bytes of all; a page that several share counts for each."""
        return sum(reading.rss for reading in self.readings)


def take(root: int, *, counts_root: bool) -> Sample:
    """Return the use of the tree below `root`; the root itself is a member where `counts_root`.

    A root that is no member still adds the CPU time of the children that it waited for.
    """
    if sys.platform == "linux" and Path(f"/proc/{root}/task/{root}/children").exists():
        taken = take_proc(root, counts_root=counts_root)
    else:
        taken = take_psutil(root, counts_root=counts_root)
    return taken


def take_proc(root: int, *, counts_root: bool) -> Sample:
    """Do what `take` does from /proc, and nothing where there is none."""
    readings: list[Reading] = []
    waited = 0.0
    if sys.platform == "linux":
        for pid in _proc.walk(root):
            stat = _proc.read(pid)
            if pid == root and stat and not counts_root:
                waited = stat.waited_s
            elif stat and not stat.dead:
                readings.append(Reading(pid, stat.started, stat.rss, stat.own_s + stat.waited_s))
    return Sample(tuple(readings), waited + sum(reading.cpu_s for reading in readings))


def take_psutil(root: int, *, counts_root: bool) -> Sample:
    """Do what `take` does on every platform that psutil knows."""
    try:
        top = psutil.Process(root)
        processes = [*([top] if counts_root else []), *top.children(recursive=True)]
    except psutil.NoSuchProcess:
        return Sample((), 0.0)
    readings = tuple(reading for process in processes if (reading := _reading(process)))
    waited = 0.0 if counts_root else _waited_for(top)
    return Sample(readings, waited + sum(reading.cpu_s for reading in readings))


def identity(pid: int) -> float | None:
    """Return when the process `pid` started, to be compared with a `Reading`; None where it does not live."""
    if sys.platform == "linux":
        stat = _proc.read(pid)
        return stat.started if stat and not stat.dead else None
    else:  # noqa: RET505 - type checkers read platform branches so
        try:
            return psutil.Process(pid).create_time()
        except psutil.Error:
            return None


def describe(pid: int) -> Member | None:
    """Return what `pid` is called, or None where it ended meanwhile."""
    try:
        process = psutil.Process(pid)
        name, command = process.name(), " ".join(process.cmdline())
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return None
    except psutil.AccessDenied:
        name, command = "", ""
    return Member(pid, name, command[:COMMAND_LENGTH])


def carrying(marker: str) -> set[int]:
    """Return the processes of this user whose starting environment carries `marker`."""
    found = set()
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARKER) == marker and process.status() != psutil.STATUS_ZOMBIE:
                found.add(process.pid)
        except (psutil.Error, OSError):
            continue  # ended meanwhile, or another user's, which cannot be ours
    return found


def _reading(process: psutil.Process) -> Reading | None:
    try:
        with process.oneshot():
            if process.status() == psutil.STATUS_ZOMBIE:
                return None
            times = process.cpu_times()
            own = times.user + times.system
            waited = getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0)
            return Reading(process.pid, process.create_time(), process.memory_info().rss, own + waited)
    except psutil.Error:
        return None


def _waited_for(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.Error:
        return 0.0
    return float(getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0))
