"""Ctrl-C, SIGTERM and kill −9 of our commands: a partial report where there can be one, and nothing left."""

import signal
import subprocess
import time
from collections.abc import Callable

import orjson
import psutil
import pytest

from tests.end_to_end.running import run, zoo

COMMANDS = ("mcp-trust-check", "mcp-fuzz", "mcp-stdio-guard")
STOP_S = 4.0
"""Within this a command has ended: about two seconds where nothing else runs, more beside other tests."""
STUBBORN = ("hostile/deaf.py", "hostile/daemons.py", "hostile/silent.py")


def once_the_server_runs(number: int, stamp: list[float]) -> Callable[[subprocess.Popen[bytes]], None]:
    """Send a signal to the command as soon as a process of the server is there."""

    def send(process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + 30
        tree = psutil.Process(process.pid)
        while time.monotonic() < deadline:
            if any(
                "tests/servers" in word for child in tree.children(recursive=True) for word in words(child)
            ):
                break
            time.sleep(0.02)
        else:
            raise AssertionError("the server did not start")
        stamp.append(time.monotonic())
        process.send_signal(number)

    return send


def words(process: psutil.Process) -> list[str]:
    """Give the command line of a process, if it is still there."""
    try:
        command = process.cmdline()
    except psutil.Error:
        return []
    return [] if any("sentinel" in word or word in ("-m", "--") for word in command) else command


@pytest.mark.parametrize("server", STUBBORN)
@pytest.mark.parametrize("program", COMMANDS)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped(program: str, server: str, number: signal.Signals) -> None:
    stamp: list[float] = []
    ran = run(program, "--json", "--", *zoo(server), meanwhile=once_the_server_runs(number, stamp))
    assert ran.left == ()
    assert ran.code == 130
    document = orjson.loads(ran.stdout)
    assert document["findings"] is not None
    assert "Traceback" not in ran.stderr
    assert ran.ended - stamp[0] < STOP_S


@pytest.mark.parametrize("server", STUBBORN)
@pytest.mark.parametrize("program", COMMANDS)
def test_killed(program: str, server: str) -> None:
    stamp: list[float] = []
    ran = run(program, "--json", "--", *zoo(server), meanwhile=once_the_server_runs(signal.SIGKILL, stamp))
    assert ran.code == -signal.SIGKILL
    assert ran.left == ()
