"""Run a command as a user does and measure it from outside: time, memory, what it printed, what it left."""

import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import orjson
import psutil

SERVERS = Path(__file__).parents[1] / "servers"
TAG = "MCP_TEST_TAG"
_LOOK_S = 0.05
_SETTLE_S = 3.0


@dataclass(frozen=True)
class Ran:
    """How a command ended, and when (monotonic seconds).

    `peak` is the greatest resident memory of our own processes together, in bytes.
    """

    code: int
    stdout: bytes
    stderr: str
    seconds: float
    ended: float
    peak: int
    left: tuple[str, ...]

    @property
    def text(self) -> str:
        """Stdout as text."""
        return self.stdout.decode()

    @property
    def document(self) -> dict[str, object]:
        """Stdout as a JSON document."""
        value = orjson.loads(self.stdout)
        assert isinstance(value, dict)
        return value


@dataclass
class _Watch:
    """Looks at a process tree from outside while it runs."""

    root: psutil.Process
    seen: dict[int, psutil.Process] = field(default_factory=dict)
    peak: int = 0
    stop: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        while not self.stop.wait(_LOOK_S):
            self.look()

    def look(self) -> None:
        total = 0
        for process in self._tree():
            self.seen.setdefault(process.pid, process)
            try:
                if _is_ours(process.cmdline()):
                    total += process.memory_info().rss
            except psutil.Error:
                continue
        self.peak = max(self.peak, total)

    def _tree(self) -> list[psutil.Process]:
        try:
            return [self.root, *self.root.children(recursive=True)]
        except psutil.Error:
            return []


def _is_ours(command: Sequence[str]) -> bool:
    return any(word.startswith("mcp_") or "mcp_check_core" in word or "/mcp-" in word for word in command[:6])


def surroundings() -> dict[str, str]:
    """Give our environment without what changes how a command prints: a test runs alike at home and in CI."""
    shaping = ("CI", "NO_COLOR", "FORCE_COLOR", "COLUMNS")
    return {name: value for name, value in os.environ.items() if name not in shaping}


def start(
    program: str, *arguments: str, tag: str, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> subprocess.Popen[bytes]:
    """Start one of our commands; the server gets `tag` in its environment."""
    own = Path(sys.executable).parent / program
    words = list(arguments)
    at = words.index("--") if "--" in words else len(words)
    words[at:at] = ["--env", f"{TAG}={tag}"] if "--" in words else []
    return subprocess.Popen(
        [str(own), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**surroundings(), **(env or {})},
        cwd=cwd,
        start_new_session=True,
    )


def run(
    program: str,
    *arguments: str,
    limit: float = 60.0,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    meanwhile: Callable[[subprocess.Popen[bytes]], None] | None = None,
) -> Ran:
    """Run one of our commands to its end, at most `limit` seconds; `meanwhile` may signal it.

    Fails where it takes longer. `left` names every process of the run that is still there afterwards.
    """
    tag = uuid.uuid4().hex
    began = time.monotonic()
    process = start(program, *arguments, tag=tag, env=env, cwd=cwd)
    watch = _Watch(psutil.Process(process.pid))
    watcher = threading.Thread(target=watch.run, daemon=True)
    watcher.start()
    try:
        if meanwhile is not None:
            meanwhile(process)
        stdout, stderr = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise AssertionError(f"{program} {arguments} took more than {limit} s") from None
    finally:
        watch.stop.set()
        watcher.join()
    ended = time.monotonic()
    return Ran(
        process.returncode,
        stdout,
        stderr.decode("utf-8", "replace"),
        ended - began,
        ended,
        watch.peak,
        tuple(left_over(watch.seen, tag)),
    )


def left_over(seen: Mapping[int, psutil.Process], tag: str) -> list[str]:
    """Name what is left of a run after a moment: processes that were seen in its tree or carry its tag."""
    deadline = time.monotonic() + _SETTLE_S
    while True:
        left = [process for process in seen.values() if _runs(process)] + _tagged(tag)
        if not left or time.monotonic() > deadline:
            return [_describe(process) for process in left]
        time.sleep(_LOOK_S)


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _tagged(tag: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(TAG) == tag and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def _describe(process: psutil.Process) -> str:
    try:
        return f"{process.pid} {' '.join(process.cmdline())[:200]}"
    except psutil.Error:
        return str(process.pid)


def zoo(name: str, *, fixed: bool = False) -> list[str]:
    """Return the command of a zoo server."""
    return [sys.executable, str(SERVERS / name), *(["--fixed"] if fixed else [])]
