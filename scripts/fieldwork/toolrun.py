"""Run one of the tools on one server, with a limit of time, and keep its report with a note on the run."""

import json
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from mcp_check_core.process.environment import own_environment
from scripts.fieldwork.bounded import Ran, run_bounded
from scripts.fieldwork.install import write_atomically
from scripts.fieldwork.start import Start

COMMANDS = {
    "doctor": "mcp-doctor",
    "guard": "mcp-stdio-guard",
    "fuzz": "mcp-fuzz",
    "reality": "mcp-reality-check",
    "lint": "mcp-lint",
    "trust": "mcp-trust-check",
}
SUBCOMMANDS = {"lint": ("run",)}
_COMPLETED = (0, 1, 2)
"""Exit codes with which a tool may have made a report."""


class NoToolError(Exception):
    """The command of a tool is not installed."""


@dataclass(frozen=True, slots=True)
class Note:
    """What the report itself cannot say: how the run ended. `problem` is empty where a report was made."""

    server: str
    version: str
    seconds: float = 0.0
    problem: str = ""


def find_command(tool: str) -> str:
    """Find a tool's command beside our own interpreter or on the PATH. Raises NoToolError."""
    name = COMMANDS[tool]
    beside = shutil.which(name, path=str(Path(sys.executable).parent))
    if (found := beside or shutil.which(name)) is None:
        raise NoToolError(f"the command {name} is not installed")
    return found


def words(tool: str, command: str, start: Start, report: Path, options: Sequence[str]) -> tuple[str, ...]:
    """Return the command line of a tool for one server."""
    variables = (word for name, value in start.variables.items() for word in ("--env", f"{name}={value}"))
    ours = ("--json-out", str(report), "--cwd", str(start.cwd), *variables)
    return (command, *SUBCOMMANDS.get(tool, ()), *ours, *options, "--", *start.argv)


async def run_tool(
    tool: str, command: str, start: Start, report: Path, options: Sequence[str], seconds: float
) -> Ran:
    """Run a tool on a server, for at most `seconds`."""
    line = words(tool, command, start, report, options)
    return await run_bounded(line, own_environment(os.environ), start.cwd, seconds)


def note_of(server: str, version: str, ran: Ran, report: Path) -> Note:
    """Say how a run ended, from its exit and from whether there is a report."""
    problem = ran.problem or ("" if ran.code in _COMPLETED else f"exit code {ran.code}")
    if not report.is_file():
        said = " | ".join(ran.tail.strip().splitlines()[-3:])
        problem = f"no report: {problem or f'exit code {ran.code}'}, {said}"
    return Note(server, version, round(ran.seconds, 1), problem)


def note_path(report: Path) -> Path:
    """Return where the note on a report is kept."""
    return report.with_suffix(".run")


def forget(report: Path) -> None:
    """Remove what an earlier run left: an interrupted one then leaves nothing that looks like a result."""
    report.unlink(missing_ok=True)
    note_path(report).unlink(missing_ok=True)


def keep_note(note: Note, report: Path) -> None:
    """Write the note beside its report."""
    write_atomically(note_path(report), json.dumps(asdict(note)) + "\n")


def kept_note(report: Path) -> Note | None:
    """Read the note on a report that is there; None where that run made none and has to be made again."""
    return read_note(report) if report.is_file() else None


def read_note(report: Path) -> Note | None:
    """Read the note on a report; None where there is none of ours."""
    try:
        held = json.loads(note_path(report).read_text(encoding="utf-8"))
        return Note(str(held["server"]), str(held["version"]), float(held["seconds"]), str(held["problem"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
