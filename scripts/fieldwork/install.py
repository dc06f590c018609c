"""Install a server once, each in a folder of its own, and remember how that went.

A folder of the cache holds `installed.json` only when its install has ended: what an interrupted one left is
thrown away by the next. A failed install is not tried again unless asked for.
"""

import json
import os
import shutil
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import anyio

from mcp_check_core.process.environment import own_environment
from scripts.fieldwork.bounded import Ran, run_bounded
from scripts.fieldwork.corpus import Entry, Registry
from scripts.fieldwork.extras import Extra

RECORD = "installed.json"
INSTALL_S = 900.0
_REASON = 300
_OTHER_PYTHON = "require a different python version"
"""What pip says where a package's Requires-Python leaves the interpreter out."""

Runner = Callable[[tuple[str, ...], Mapping[str, str], Path, float], Awaitable[Ran]]
"""Runs a command of a registry's client: words, environment, folder, seconds."""


@dataclass(frozen=True, slots=True)
class Installed:
    """How an install ended, for what was `asked`; `reason` is empty where it went well."""

    asked: tuple[str, ...]
    seconds: float
    reason: str = ""

    @property
    def ok(self) -> bool:
        """Whether the server is there."""
        return not self.reason


def read_record(folder: Path) -> Installed | None:
    """Read how the install into a folder ended; None where it never ended, or the record is not ours."""
    try:
        held = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        return Installed(tuple(map(str, held["asked"])), float(held["seconds"]), str(held["reason"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def kept(entry: Entry, extra: Extra, folder: Path) -> Installed | None:
    """Return the record of an install that still answers to what the index asks for."""
    record = read_record(folder)
    return record if record is not None and record.asked == asked(entry, extra) else None


def asked(entry: Entry, extra: Extra) -> tuple[str, ...]:
    """Return the words that decide what is installed."""
    return (*entry.requirements, *extra.requirements, *(("with scripts",) if extra.scripts else ()))


async def install(
    entry: Entry,
    extra: Extra,
    folder: Path,
    *,
    retry: bool = False,
    run: Runner = run_bounded,
    pythons: tuple[str, ...] = (sys.executable,),
) -> Installed:
    """Install a server into `folder` unless that was done before; a failure is a value, never raised.

    `pythons` are interpreters for the servers written in Python: each is for those that refuse the ones
    before it.
    """
    if entry.left_out:
        return Installed((), 0.0, entry.left_out[:_REASON])
    known = kept(entry, extra, folder)
    if known is not None and (known.ok or not retry):
        return known
    await anyio.to_thread.run_sync(_clear, folder)
    if entry.registry is Registry.NPM:
        ran = await _npm(entry, extra, folder, run)
    else:
        ran = await _first_that_fits(entry, extra, folder, run, pythons)
    record = Installed(asked(entry, extra), round(ran.seconds, 1), _reason(ran))
    write_atomically(folder / RECORD, json.dumps(asdict(record), indent=1) + "\n")
    return record


def write_atomically(path: Path, text: str) -> None:
    """Write a file that is either whole or not there."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


async def _npm(entry: Entry, extra: Extra, folder: Path, run: Runner) -> Ran:
    npm = shutil.which("npm")
    if npm is None:
        return Ran(None, 0.0, "", "npm is not on the PATH")
    scripts = () if extra.scripts else ("--ignore-scripts",)
    words = (npm, "install", "--prefix", str(folder), *scripts, "--no-audit", "--no-fund", "--loglevel=error")
    return await run((*words, *entry.requirements, *extra.requirements), os.environ, folder, INSTALL_S)


async def _first_that_fits(
    entry: Entry, extra: Extra, folder: Path, run: Runner, pythons: tuple[str, ...]
) -> Ran:
    ran = Ran(None, 0.0, "", "there is no interpreter to install it for")
    for python in pythons:
        ran = await _pip(entry, extra, folder, run, python)
        if ran.code == 0 or _OTHER_PYTHON not in ran.tail:
            break
    return ran


async def _pip(entry: Entry, extra: Extra, folder: Path, run: Runner, interpreter: str) -> Ran:
    environment = own_environment(os.environ)
    make = (interpreter, "-m", "venv", "--clear", str(folder / "venv"))
    made = await run(make, environment, folder, INSTALL_S)
    if made.code != 0:
        return made
    python = program_folder(folder / "venv") / ("python.exe" if sys.platform == "win32" else "python")
    words = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input")
    ran = await run((*words, *entry.requirements, *extra.requirements), environment, folder, INSTALL_S)
    return replace(ran, seconds=made.seconds + ran.seconds)


def program_folder(environment: Path) -> Path:
    """Return the folder of a virtual environment's programs."""
    return environment / ("Scripts" if sys.platform == "win32" else "bin")


def _clear(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)


def _reason(ran: Ran) -> str:
    """Say in one line why a client failed: its last error lines, or how it ended."""
    if ran.code == 0 and not ran.problem:
        return ""
    lines = [line.strip() for line in ran.tail.splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.lower()] or lines
    said = " | ".join(telling[-3:])[-_REASON:]
    return " – ".join(part for part in (ran.problem or f"exit code {ran.code}", said) if part)
