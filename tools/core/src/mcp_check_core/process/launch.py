"""Launches a process with a hold on its whole tree, and lets go of it only when nothing is left."""

import sys
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from types import TracebackType

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, TaskGroup

from mcp_check_core.process.carrier import Carrier, Exit, LaunchSpec, SpawnError, close_streams
from mcp_check_core.process.marker import MARKER, new_marker
from mcp_check_core.process.sample import Member, carrying, describe, identity
from mcp_check_core.process.shutdown import INTERRUPTED, Graces, Shutdown, end_in_order
from mcp_check_core.process.watch import Breach, TreeLimits, Usage, Watcher

if sys.platform == "win32":
    from mcp_check_core.process._windows import spawn
else:
    from mcp_check_core.process._posix import spawn

__all__ = ["Breach", "Exit", "Graces", "LaunchSpec", "LaunchedProcess", "Member", "Shutdown", "SpawnError"]
__all__ += ["TreeLimits", "Usage", "launch"]

_CARRIER_PATIENCE_S = 7.0
"""What a carrier may take to end a tree: a grace of 0.5 s and `tree.KILL_PATIENCE_S`, and some."""


def launch(
    spec: LaunchSpec, limits: TreeLimits | None = None
) -> AbstractAsyncContextManager["LaunchedProcess"]:
    """Run `spec` for the length of an `async with`; however that is left, the whole tree has ended then.

    Entering raises `SpawnError` where the command cannot be started. Leaving it without an exception is an
    orderly `shutdown`; with one, also a cancellation, the same with graces of 0.5 s that nothing interrupts.
    """
    return _Launch(spec, limits or TreeLimits())


class LaunchedProcess:
    """A process that runs, with its streams, its tree and what the tree uses."""

    def __init__(self, carrier: Carrier, limits: TreeLimits, marker: str) -> None:
        """Stand for what `carrier` started; `marker` is the value of `MARKER` in its environment."""
        self.marker = marker
        self._carrier = carrier
        self._watcher = Watcher(carrier, limits, lambda: self._exit is None)
        self._exit: Exit | None = None
        self._ended = anyio.Event()
        self._carrier_gone = anyio.Event()
        self._shutdown: Shutdown | None = None
        self._shutting = anyio.Lock()
        self._closing = False
        self._following = anyio.CancelScope(shield=True)
        self._watching = anyio.CancelScope(shield=True)

    @property
    def pid(self) -> int:
        """The process itself; on POSIX also its group and session."""
        return self._carrier.pid

    @property
    def sentinel_pid(self) -> int:
        """The sentinel that the process hangs on; where there is none, the process itself."""
        return self._carrier.holder_pid

    @property
    def stdin(self) -> ByteSendStream:
        """The process's standard input."""
        return self._carrier.stdin

    @property
    def stdout(self) -> ByteReceiveStream:
        """The process's standard output; after `shutdown` it can still be read to its end."""
        return self._carrier.stdout

    @property
    def stderr(self) -> ByteReceiveStream:
        """The process's standard error; after `shutdown` it can still be read to its end."""
        return self._carrier.stderr

    @property
    def exit(self) -> Exit | None:
        """How the process ended; None while it runs, `Exit(None, None)` where its sentinel was killed."""
        return self._exit

    @property
    def usage(self) -> Usage:
        """What the tree has used so far, as seen by the watcher."""
        return self._watcher.usage

    @property
    def breach(self) -> Breach | None:
        """The limit for which the tree was ended."""
        return self._watcher.breach

    async def wait(self) -> Exit:
        """Wait until the process itself has ended; descendants may still run then."""
        while self._exit is None:
            await self._ended.wait()
        return self._exit

    def members(self) -> tuple[Member, ...]:
        """Return the processes that run in the tree now, by pid; commands as they are, not redacted."""
        if self._carrier_gone.is_set():
            known = self._watcher.known.items()
            pids = {pid for pid, started in known if identity(pid) == started} | carrying(self.marker)
        else:
            pids = {reading.pid for reading in self._watcher.look().readings}
        return tuple(member for pid in sorted(pids) if (member := describe(pid)))

    def terminate(self) -> None:
        """Send SIGTERM to the process's group."""
        self._carrier.terminate()

    def kill(self) -> None:
        """Kill the whole tree at once."""
        self._carrier.end(at_once=True)

    async def shutdown(self, graces: Graces | None = None) -> Shutdown:
        """End the process in order, then what it left; a second call returns the first one's answer."""
        async with self._shutting:
            if self._shutdown is None:
                ended = await end_in_order(self, graces or Graces())
                with anyio.CancelScope(shield=True):
                    await self._let_go()
                self._shutdown = replace(ended, survivors=self.members())
            return self._shutdown

    async def follow(self) -> None:
        """Take in what the carrier reports, until it is gone and nothing of the tree with it."""
        with self._following:
            while ended := await self._carrier.next_exit():
                self._finish(ended)
            if self._exit is None or not self._closing or sys.platform != "linux":
                known = dict(self._watcher.known)
                await anyio.to_thread.run_sync(self._carrier.sweep, known, self.marker)
            self._carrier_gone.set()
            self._finish(self._exit or Exit())

    async def watch(self) -> None:
        """Hold the tree to its limits until it is let go."""
        with self._watching:
            await self._watcher.run()

    def _finish(self, ended: Exit) -> None:
        if self._exit is None:
            self._watcher.stopped()
            self._exit = ended
            self._ended.set()

    async def _let_go(self) -> None:
        self._closing = True
        self._carrier.close()
        for last_resort in (self._carrier.abandon, lambda: None):
            with anyio.move_on_after(_CARRIER_PATIENCE_S):
                await self._carrier_gone.wait()
                break
            last_resort()
        self._watching.cancel()
        self._following.cancel()
        with anyio.move_on_after(_CARRIER_PATIENCE_S):
            await self._carrier.reap()


class _Launch(AbstractAsyncContextManager[LaunchedProcess]):
    """Starts on entering; on leaving ends everything, shielded, and lets an exception pass as it is."""

    def __init__(self, spec: LaunchSpec, limits: TreeLimits) -> None:
        self._spec, self._limits = spec, limits
        self._tasks: TaskGroup
        self._carrier: Carrier
        self._process: LaunchedProcess

    async def __aenter__(self) -> LaunchedProcess:
        marker = self._spec.marker or new_marker()
        self._carrier = await spawn(replace(self._spec, env={**self._spec.env, MARKER: marker}))
        self._process = LaunchedProcess(self._carrier, self._limits, marker)
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        self._tasks.start_soon(self._process.follow)
        self._tasks.start_soon(self._process.watch)
        return self._process

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                await self._process.shutdown()
        finally:
            with anyio.CancelScope(shield=True):
                await self._process.shutdown(INTERRUPTED)
                await close_streams(self._carrier)
            await self._tasks.__aexit__(None, None, None)
