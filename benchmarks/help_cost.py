"""CPU time of `--help` of each command, against a bare `typer` program."""

import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence

from benchmarks.result import Result

PACKAGES = (
    "mcp_doctor",
    "mcp_fuzz",
    "mcp_reality_check",
    "mcp_stdio_guard",
    "mcp_lint",
    "mcp_trust_check",
)
ALLOWED_MORE = 0.1
"""Seconds of CPU that a command may take more than the bare program."""
ROUNDS = 7

BARE = """
import typer
app = typer.Typer()
@app.command()
def check(target: str, timeout: float = 5.0, json: bool = False) -> None: ...
app()
"""


def cpu_seconds(command: Sequence[str]) -> float:
    """Return the user and system time that one run of a command took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure() -> Iterator[Result]:
    """Yield the least of some rounds for each command; the rounds go round robin, so that noise hits all."""
    commands = {"typer": [sys.executable, "-c", BARE, "--help"]}
    commands |= {package: [sys.executable, "-P", "-m", package, "--help"] for package in PACKAGES}
    least = dict.fromkeys(commands, float("inf"))
    for _ in range(ROUNDS):
        for name, command in commands.items():
            least[name] = min(least[name], cpu_seconds(command))
    bound = least["typer"] + ALLOWED_MORE
    for package in PACKAGES:
        yield Result(f"--help of {package}", least[package], bound)
