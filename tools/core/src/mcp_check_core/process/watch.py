"""Holds a launched tree to its limits, by looking at it every 50 ms, and every 10 ms while it grows.

A limit therefore holds up to what can grow between two looks. One look costs about 0.2 ms in a worker
thread for a tree of a few processes on Linux: less than 1 % of one core, 2 % while the tree grows.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import anyio

from mcp_check_core.process.carrier import Carrier
from mcp_check_core.process.sample import Sample, identity

POLL_S = 0.05
GROWING_POLL_S = 0.01
_KNOWN_AT_MOST = 1024

LimitName = Literal["rss", "processes", "cpu", "wall"]


@dataclass(frozen=True)
class TreeLimits:
    """What a launched tree may use in all: bytes, processes, CPU seconds, seconds; None is no limit."""

    max_rss: int | None = None
    max_processes: int | None = None
    max_cpu_s: float | None = None
    max_wall_s: float | None = None


@dataclass(frozen=True)
class Breach:
    """The first limit that a tree went over, what was allowed and what was seen, in the limit's unit."""

    limit: LimitName
    allowed: float
    seen: float


@dataclass(frozen=True)
class Usage:
    """What a tree has used so far: bytes and processes at their peak, CPU and wall seconds in all."""

    peak_rss: int = 0
    peak_processes: int = 0
    cpu_s: float = 0.0
    wall_s: float = 0.0


class Watcher:
    """Looks at the tree of one carrier until it is cancelled, and ends it where it breaks a limit."""

    def __init__(self, carrier: Carrier, limits: TreeLimits, running: Callable[[], bool]) -> None:
        """Watch `carrier`'s tree; `running` says whether the launched process itself still runs."""
        self.breach: Breach | None = None
        self.known: dict[int, float] = {}
        """Every process that was seen and may still live, with its start as `identity` gives it."""
        self._carrier, self._limits, self._running = carrier, limits, running
        self._began = time.monotonic()
        self._wall_s = 0.0
        self._peak_rss = self._peak_processes = 0
        self._cpu_s = 0.0

    @property
    def usage(self) -> Usage:
        """Return what has been seen up to the latest look; the wall time stops when the process ends."""
        if self._running():
            self._wall_s = time.monotonic() - self._began
        return Usage(self._peak_rss, self._peak_processes, self._cpu_s, self._wall_s)

    async def run(self) -> None:
        """Look again and again until cancelled."""
        limiter = anyio.CapacityLimiter(1)  # our own, so that busy threads elsewhere cannot stop the looks
        latest = Sample((), 0.0)
        while True:
            sample = await anyio.to_thread.run_sync(
                self._carrier.look, self._limits.max_processes, abandon_on_cancel=True, limiter=limiter
            )
            self._note(sample)
            if self.breach is None and (breach := self._judge(sample)):
                self.breach = breach
                self._carrier.end(at_once=breach.limit in ("rss", "processes"))
            await anyio.sleep(GROWING_POLL_S if _grows(latest, sample) else POLL_S)
            latest = sample

    def stopped(self) -> None:
        """Take the wall time and the last look at the moment the process ends."""
        self._wall_s = time.monotonic() - self._began
        self.look()

    def look(self) -> Sample:
        """Look now, out of turn, and learn from it."""
        sample = self._carrier.look()
        self._note(sample)
        return sample

    def _note(self, sample: Sample) -> None:
        self._peak_rss = max(self._peak_rss, sample.rss)
        self._peak_processes = max(self._peak_processes, len(sample.readings))
        self._cpu_s = max(self._cpu_s, sample.cpu_s)
        self.known.update({reading.pid: reading.started for reading in sample.readings})
        if len(self.known) > _KNOWN_AT_MOST:
            self.known = {pid: started for pid, started in self.known.items() if identity(pid) == started}

    def _judge(self, sample: Sample) -> Breach | None:
        limits = self._limits
        seen: list[tuple[LimitName, float | None, float]] = [
            ("processes", limits.max_processes, len(sample.readings)),
            ("rss", limits.max_rss, sample.rss),
            ("cpu", limits.max_cpu_s, self._cpu_s),
        ]
        if self._running():
            seen.append(("wall", limits.max_wall_s, self.usage.wall_s))
        for name, allowed, value in seen:
            if allowed is not None and value > allowed:
                return Breach(name, allowed, value)
        return None


def _grows(before: Sample, now: Sample) -> bool:
    """Say whether a tree gained processes, or a tenth of its memory, from one look to the next."""
    return len(now.readings) > len(before.readings) or now.rss > before.rss * 1.1
