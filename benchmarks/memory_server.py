"""Wall time of each tool on the official memory server, against what a minimal client needs for the same.

A tool may take as long as its starts and its requests take a bare client, and half a second more.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.bare import Message, call_seconds, requests_of, start_seconds
from benchmarks.result import Result

SERVER = (
    Path(__file__).parents[1] / "tests/node/node_modules/@modelcontextprotocol/server-memory/dist/index.js"
)
TOOLS = {
    "mcp-stdio-guard": ("--profile", "registry"),
    "mcp-fuzz": (),
}
ALLOWED_MORE = 0.5
"""Seconds that a tool may take beside its starts and calls."""
ROUNDS = 7


@dataclass
class _Measured:
    """What the rounds of one tool showed, in seconds; `starts` and `requests` are those of its first run."""

    starts: int
    requests: Sequence[Message]
    walls: list[float] = field(default_factory=list)
    calls: list[float] = field(default_factory=list)


def measure() -> Iterator[Result]:
    """Yield the median of some rounds for each tool; the rounds go round robin, so that noise hits all.

    Yields nothing where node or the server is not installed.
    """
    node = shutil.which("node")
    if node is None or not SERVER.is_file():
        sys.stdout.write("needs node and the servers of tests/node (`make bench` installs them)\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        # The server keeps its graph in a file; a fresh one keeps rounds alike.
        env = {"PATH": os.environ["PATH"], "MEMORY_FILE_PATH": f"{folder}/memory.jsonl"}
        command = (node, str(SERVER))
        known = {tool: _first(tool, command, env, Path(folder)) for tool in TOOLS}
        starts: list[float] = []
        for _ in range(ROUNDS):
            starts.append(start_seconds(command, env))
            for tool, seen in known.items():
                seen.calls.append(call_seconds(command, env, seen.requests))
                seen.walls.append(_wall(tool, command, env))
    for tool, seen in known.items():
        calls = len(seen.requests)
        bound = seen.starts * median(starts) + median(seen.calls) + ALLOWED_MORE
        name = f"{tool}: {seen.starts} starts, {calls} requests"
        yield Result(name, median(seen.walls), bound)


def _first(tool: str, command: Sequence[str], env: dict[str, str], folder: Path) -> _Measured:
    """Run a tool once with a trace, to see how often it starts the server and what it asks."""
    trace, report = folder / f"{tool}.trace", folder / f"{tool}.json"
    _run(tool, command, env, "--trace", str(trace), "--json-out", str(report))
    document = json.loads(report.read_text("utf-8"))
    return _Measured(document["details"]["starts"], requests_of(trace))


def _wall(tool: str, command: Sequence[str], env: dict[str, str]) -> float:
    began = time.monotonic()
    _run(tool, command, env)
    return time.monotonic() - began


def _run(tool: str, command: Sequence[str], env: dict[str, str], *options: str) -> None:
    variable = f"MEMORY_FILE_PATH={env['MEMORY_FILE_PATH']}"
    words = [str(Path(sys.executable).parent / tool), *TOOLS[tool], "--env", variable, *options]
    subprocess.run([*words, "--", *command], stdout=subprocess.DEVNULL, check=True, timeout=120)
