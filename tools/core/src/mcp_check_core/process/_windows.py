"""Starts a process inside a job object, which ends the whole tree when its last handle closes.

The process is created suspended, put into the job and only then resumed, so that no child of it can be
outside. The handle is ours alone: it closes also when we are killed (JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE).
"""

import ctypes
import signal
import subprocess
import sys
from collections.abc import Mapping

import anyio
import psutil
from anyio.abc import ByteReceiveStream, ByteSendStream, Process

from mcp_check_core.process.carrier import Exit, LaunchSpec, SpawnError, refuse_empty, spawn_error
from mcp_check_core.process.sample import Sample, take_of

assert sys.platform == "win32"  # noqa: S101 - the form that type checkers read

_CREATE_SUSPENDED = 0x4
_EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation
_PROCESS_ID_LIST = 3  # JobObjectBasicProcessIdList
_IDS = 4096
_KILL_ON_JOB_CLOSE = 0x2000
_PROCESS_SET_QUOTA_AND_TERMINATE = 0x0101
_KILLED = 1


class _ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION, with the parts that we leave zero as plain room."""

    _fields_ = (
        ("times", ctypes.c_int64 * 2),
        ("flags", ctypes.c_uint32),
        ("working_set", ctypes.c_size_t * 2),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("classes", ctypes.c_uint32 * 2),
        ("io", ctypes.c_uint64 * 6),
        ("memory", ctypes.c_size_t * 4),
    )


class _ProcessIds(ctypes.Structure):
    """JOBOBJECT_BASIC_PROCESS_ID_LIST with room for `_IDS` processes."""

    _fields_ = (
        ("assigned", ctypes.c_uint32),
        ("listed", ctypes.c_uint32),
        ("ids", ctypes.c_size_t * _IDS),
    )


class Job:
    """A job object that kills its processes when it is closed."""

    def __init__(self) -> None:
        """Create the job; raises `OSError`."""
        self._kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        self._kernel.CreateJobObjectW.restype = ctypes.c_void_p
        self._kernel.OpenProcess.restype = ctypes.c_void_p
        self._handle = self._checked(self._kernel.CreateJobObjectW(None, None))
        limits = _ExtendedLimits(flags=_KILL_ON_JOB_CLOSE)
        size = ctypes.sizeof(limits)
        handle = ctypes.c_void_p(self._handle)
        self._checked(
            self._kernel.SetInformationJobObject(handle, _EXTENDED_LIMITS, ctypes.byref(limits), size)
        )

    def add(self, pid: int) -> None:
        """Put the process `pid` into the job; raises `OSError`."""
        process = self._checked(self._kernel.OpenProcess(_PROCESS_SET_QUOTA_AND_TERMINATE, 0, pid))
        try:
            job = ctypes.c_void_p(self._handle)
            self._checked(self._kernel.AssignProcessToJobObject(job, ctypes.c_void_p(process)))
        finally:
            self._kernel.CloseHandle(ctypes.c_void_p(process))

    def pids(self) -> tuple[int, ...]:
        """Return the processes of the job that run, at most `_IDS`; none once it is closed."""
        if not self._handle:
            return ()
        found = _ProcessIds()
        handle, size = ctypes.c_void_p(self._handle), ctypes.sizeof(found)
        self._kernel.QueryInformationJobObject(handle, _PROCESS_ID_LIST, ctypes.byref(found), size, None)
        return tuple(found.ids[: found.listed])

    def terminate(self) -> None:
        """Kill every process of the job."""
        if self._handle:
            self._kernel.TerminateJobObject(ctypes.c_void_p(self._handle), _KILLED)

    def close(self) -> None:
        """Kill every process of the job and give up the handle."""
        if self._handle:
            self._kernel.CloseHandle(ctypes.c_void_p(self._handle))
            self._handle = 0

    def _checked(self, result: int | None) -> int:
        if not result:
            raise ctypes.WinError(ctypes.get_last_error())
        return result


class WindowsCarrier:
    """A server inside its job; `holder_pid` is the server itself."""

    def __init__(self, process: Process, job: Job) -> None:
        """Take over the started `process` and the `job` that holds it."""
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise ValueError("the process has to be started with three pipes")
        self.pid = self.holder_pid = process.pid
        self.stdin: ByteSendStream = process.stdin
        self.stdout: ByteReceiveStream = process.stdout
        self.stderr: ByteReceiveStream = process.stderr
        self._process, self._job = process, job
        self._told = False
        self._closed = anyio.Event()

    def look(self, at_most: int | None = None) -> Sample:
        """Return the use of the job's processes."""
        return take_of(self._job.pids()[: None if at_most is None else at_most + 1])

    async def next_exit(self) -> Exit | None:
        """Return how the server ended; None once the job is let go."""
        if self._told:
            await self._closed.wait()
            return None
        self._told = True
        return Exit(code=await self._process.wait())

    def terminate(self) -> None:
        """Send Ctrl-Break to the server's process group, the nearest thing to SIGTERM."""
        if self._process.returncode is None:
            self._process.send_signal(signal.CTRL_BREAK_EVENT)

    def end(self, *, at_once: bool) -> None:
        """Kill the job's processes, after Ctrl-Break unless `at_once`."""
        if not at_once:
            self.terminate()
        self._job.terminate()

    def abandon(self) -> None:
        """Kill the job's processes."""
        self._job.terminate()

    def close(self) -> None:
        """Close the job, with which its processes end."""
        self._job.close()
        self._closed.set()

    def sweep(self, known: Mapping[int, float], marker: str) -> None:
        """Kill the job's processes; none can have left it, so neither list is needed."""
        del known, marker
        self._job.terminate()

    async def reap(self) -> None:
        """Collect the server."""
        await self._process.wait()


async def spawn(spec: LaunchSpec) -> WindowsCarrier:
    """Start `spec` and return once it runs; raises `SpawnError`, and then nothing is left behind."""
    refuse_empty(spec)
    try:
        job = Job()
        process = await anyio.open_process(
            list(spec.argv),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=spec.cwd,
            env=dict(spec.env),
            creationflags=subprocess.CREATE_NEW_PROCESS_GROUP | _CREATE_SUSPENDED,
        )
    except OSError as error:
        at_cwd = spec.cwd is not None and not spec.cwd.is_dir()
        raise spawn_error(spec, error.errno or 0, "cwd" if at_cwd else "command") from error
    try:
        job.add(process.pid)
        psutil.Process(process.pid).resume()
    except (OSError, psutil.Error) as error:
        process.kill()
        job.close()
        await process.aclose()
        raise SpawnError("EPERM", f"cannot start {spec.argv[0]!r}: no job can hold it ({error})") from error
    return WindowsCarrier(process, job)
