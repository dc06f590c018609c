"""The Windows branch against a fake kernel32: the order of its calls, and what it does when one fails."""

import ctypes
import importlib
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, cast

import anyio
import psutil
import pytest

from mcp_check_core.process.carrier import Exit, LaunchSpec, SpawnError

pytestmark = pytest.mark.anyio
MODULE = "mcp_check_core.process._windows"


class Kernel:
    """Stands for kernel32: notes each call, answers 0 to those named in `refuses`."""

    def __init__(self, calls: list[str], refuses: set[str]) -> None:
        self._calls, self._refuses = calls, refuses

    def __getattr__(self, name: str) -> Callable[..., int]:
        def call(*arguments: object) -> int:
            self._calls.append(name)
            if name == "QueryInformationJobObject":
                found = cast("Any", arguments[2])._obj
                found.listed, found.ids[0], found.ids[1] = 2, 41, 42
            return 0 if name in self._refuses else 7

        return call


class FakeProcess:
    """Stands for an `anyio` process that ends with code 3 once it is killed."""

    def __init__(self, calls: list[str]) -> None:
        self.pid, self.returncode = 41, None
        self.stdin = self.stdout = self.stderr = object()
        self._calls = calls

    async def wait(self) -> int:
        return 3

    async def aclose(self) -> None:
        self._calls.append("aclose")

    def kill(self) -> None:
        self._calls.append("kill")

    def send_signal(self, number: int) -> None:
        self._calls.append(f"signal {number}")


@pytest.fixture
def calls() -> list[str]:
    """Return the list in which every call of the fakes is noted."""
    return []


@pytest.fixture
def refuses() -> set[str]:
    """Return the set of kernel functions that fail."""
    return set()


@pytest.fixture
def windows(calls: list[str], refuses: set[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Import the Windows branch as if this were Windows, with fakes below it."""
    with monkeypatch.context() as pretend:
        pretend.setattr(sys, "platform", "win32")
        module = importlib.import_module(MODULE)

    async def open_process(command: list[str], *, creationflags: int, **_: object) -> FakeProcess:
        calls.append(f"open {command} {creationflags:#x}")
        return FakeProcess(calls)

    class Suspended:
        def __init__(self, pid: int) -> None:
            self.pid = pid

        def resume(self) -> None:
            calls.append(f"resume {self.pid}")

    for owner, name, value in [
        (ctypes, "WinDLL", lambda *_, **__: Kernel(calls, refuses)),
        (ctypes, "get_last_error", lambda: 5),
        (ctypes, "WinError", lambda code: OSError(code, "refused")),
        (subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200),
        (signal, "CTRL_BREAK_EVENT", 1),
        (anyio, "open_process", open_process),
        (psutil, "Process", Suspended),
    ]:
        monkeypatch.setattr(owner, name, value, raising=False)
    yield module
    del sys.modules[MODULE]


SPEC = LaunchSpec(("server.exe",), {})


async def test_in_the_job_before_it_runs(windows: ModuleType, calls: list[str]) -> None:
    carrier = await windows.spawn(SPEC)
    assert calls == [
        "CreateJobObjectW",
        "SetInformationJobObject",
        "open ['server.exe'] 0x204",
        "OpenProcess",
        "AssignProcessToJobObject",
        "CloseHandle",
        "resume 41",
    ]
    assert carrier.pid == carrier.holder_pid == 41


@pytest.mark.parametrize("function", ["OpenProcess", "AssignProcessToJobObject"])
async def test_without_a_job_it_does_not_run(
    windows: ModuleType, calls: list[str], refuses: set[str], function: str
) -> None:
    refuses.add(function)
    with pytest.raises(SpawnError, match="no job can hold it"):
        await windows.spawn(SPEC)
    assert calls[-3:] == ["kill", "CloseHandle", "aclose"]
    assert "resume 41" not in calls


async def test_exit_then_gone_once_closed(windows: ModuleType, calls: list[str]) -> None:
    carrier = await windows.spawn(SPEC)
    assert await carrier.next_exit() == Exit(code=3)
    with anyio.move_on_after(0.01) as scope:
        await carrier.next_exit()
    assert scope.cancelled_caught
    carrier.close()
    assert await carrier.next_exit() is None
    assert calls[-1] == "CloseHandle"


async def test_ends_politely_and_not(windows: ModuleType, calls: list[str]) -> None:
    carrier = await windows.spawn(SPEC)
    calls.clear()
    carrier.end(at_once=False)
    carrier.end(at_once=True)
    carrier.sweep({}, "")
    carrier.close()
    carrier.close()
    carrier.abandon()
    assert calls == ["signal 1", *["TerminateJobObject"] * 3, "CloseHandle"]


async def test_members_are_those_of_the_job(windows: ModuleType) -> None:
    carrier = await windows.spawn(SPEC)
    assert carrier._job.pids() == (41, 42)
    carrier.close()
    assert carrier._job.pids() == ()
