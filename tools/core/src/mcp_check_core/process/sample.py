"""What the processes of a tree use at one moment.

On Linux the tree is walked by /proc/PID/task/*/children and each process is one read of its stat: about
40 µs a process, however many others the machine runs. Elsewhere, and where the kernel
has no `children` files, psutil reads the whole process table: about 1 ms for 100 processes.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass

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


def take_below(root: int, at_most: int | None = None) -> Sample:
    """Return the use of the descendants of `root`, with the CPU time of those that `root` waited for.

    Where there are more than `at_most` it stops soon after, since the number is then what matters.
    """
    if sys.platform == "linux" and _proc.has_children_files(root):
        sample = take_below_proc(root, at_most)
    else:
        sample = take_below_psutil(root)
    return sample


def take_below_proc(root: int, at_most: int | None = None) -> Sample:
    """Do what `take_below` does from /proc, and find nothing where there is none."""
    readings: list[Reading] = []
    waited = 0.0
    if sys.platform == "linux":
        for pid in _proc.walk(root):
            stat = _proc.read(pid)
            if stat and pid == root:
                waited = stat.waited_s
            elif stat and not stat.dead:
                readings.append(Reading(pid, stat.started, stat.rss, stat.own_s + stat.waited_s))
            if at_most is not None and len(readings) > at_most:
                break
    return Sample(tuple(readings), waited + sum(reading.cpu_s for reading in readings))


def take_below_psutil(root: int) -> Sample:
    """Do what `take_below` does on every platform that psutil knows."""
    try:
        top = psutil.Process(root)
        descendants = top.children(recursive=True)
        waited = _waited_s(top)
    except psutil.Error:
        return Sample((), 0.0)
    return _sample_of(descendants, waited)


def take_of(pids: Iterable[int]) -> Sample:
    """Return the use of the processes `pids`, those left out that have ended."""
    processes = []
    for pid in pids:
        try:
            processes.append(psutil.Process(pid))
        except psutil.Error:
            continue  # it ended meanwhile
    return _sample_of(processes, 0.0)


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


def _sample_of(processes: Iterable[psutil.Process], waited_s: float) -> Sample:
    readings = tuple(reading for process in processes if (reading := _reading(process)))
    return Sample(readings, waited_s + sum(reading.cpu_s for reading in readings))


def _reading(process: psutil.Process) -> Reading | None:
    try:
        with process.oneshot():
            if process.status() == psutil.STATUS_ZOMBIE:
                return None
            times = process.cpu_times()
            cpu_s = times.user + times.system + _waited_s(process)
            return Reading(process.pid, process.create_time(), process.memory_info().rss, cpu_s)
    except psutil.Error:
        return None


def _waited_s(process: psutil.Process) -> float:
    """Return the CPU time of the children that `process` waited for; Windows does not count it."""
    times = process.cpu_times()
    return float(getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0))
