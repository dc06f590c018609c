"""Small programs that behave well or badly on purpose, and what is needed to talk to them."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import anyio
import psutil
from anyio.streams.buffered import BufferedByteReceiveStream

from mcp_check_core.process.environment import minimal_environment
from mcp_check_core.process.launch import LaunchedProcess, LaunchSpec

PATIENCE_S = 10.0

PRELUDE = """
import os, signal, sys, time
TOKEN = sys.argv[-1]

def say(word):
    os.write(1, f"{word}\\n".encode())

def child(work):
    pid = os.fork()
    if pid == 0:
        try:
            work()
        finally:
            os._exit(0)
    return pid

def deaf():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)

def stay():
    while True:
        signal.pause()

def daemon(work):
    def session():
        os.setsid()
        child(work)
    os.waitpid(child(session), 0)

def scrubbed():
    code = "import os, signal\\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\\n"
    code += "os.write(1, b'%d\\\\n' % os.getpid())\\nwhile True: signal.pause()"
    os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", code, TOKEN], {})

def until_closed():
    while os.read(0, 4096):
        pass

"""


def program(code: str, token: str) -> LaunchSpec:
    """Return the launch of `code`, with `PRELUDE` before it and `token` as a word of its command line."""
    argv = (sys.executable, "-I", "-S", "-c", PRELUDE + code, token)
    return LaunchSpec(argv, minimal_environment(os.environ))


def shell(script: str, cwd: Path | None = None) -> LaunchSpec:
    """Return the launch of a shell script."""
    return LaunchSpec(("sh", "-c", script), minimal_environment(os.environ), cwd)


def running(token: str) -> set[int]:
    """Return the living processes with `token` in their command line, found without the code under test."""
    found = set()
    for process in psutil.process_iter():
        try:
            if token in process.cmdline() and process.status() != psutil.STATUS_ZOMBIE:
                found.add(process.pid)
        except psutil.NoSuchProcess:
            continue
    return found


def wait_for(condition: Callable[[], bool], seconds: float) -> float:
    """Look until `condition` holds and return how many seconds that took; fails after `seconds`."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, f"not within {seconds} s"
        time.sleep(0.01)
    return time.monotonic() - began


async def until(condition: Callable[[], bool], seconds: float = PATIENCE_S) -> None:
    """Do what `wait_for` does without holding up the loop."""
    with anyio.fail_after(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for belongs to another process
            await anyio.sleep(0.01)


async def lines(process: LaunchedProcess, count: int) -> list[str]:
    """Return the next `count` lines of standard output."""
    stream = BufferedByteReceiveStream(process.stdout)
    with anyio.fail_after(PATIENCE_S):
        return [(await stream.receive_until(b"\n", 4096)).decode() for _ in range(count)]


async def rest(process: LaunchedProcess) -> bytes:
    """Return what is left on standard output up to its end."""
    parts = []
    with anyio.fail_after(PATIENCE_S):
        while True:
            try:
                parts.append(await process.stdout.receive())
            except anyio.EndOfStream:
                return b"".join(parts)
