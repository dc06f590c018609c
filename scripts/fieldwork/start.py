"""Turn an installed server into a command to start, in a throw-away folder and home."""

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripts.fieldwork.corpus import Entry, Registry
from scripts.fieldwork.extras import FOLDER, Extras
from scripts.fieldwork.install import program_folder

_HOME = "USERPROFILE" if sys.platform == "win32" else "HOME"
_SAMPLE = "A sample file.\nIt has two lines.\n"


class NoProgramError(Exception):
    """An installed package has not the program that is to be started; the message says which."""


@dataclass(frozen=True, slots=True)
class Start:
    """How to start a server: words, folder, and the variables that it needs besides the usual ones."""

    argv: tuple[str, ...]
    cwd: Path
    variables: Mapping[str, str]


@contextmanager
def throw_away(parent: Path | None = None) -> Iterator[Path]:
    """Make a folder with `files` and `home` in it, and remove it afterwards with all that was written."""
    made = Path(tempfile.mkdtemp(prefix="mcp-field-", dir=parent)).resolve()
    try:
        (made / "home").mkdir()
        (made / "files").mkdir()
        (made / "files" / "sample.txt").write_text(_SAMPLE, encoding="utf-8")
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def prepare(entry: Entry, extras: Extras, installed: Path, work: Path) -> Start:
    """Say how to start a server that lies in `installed`. Raises NoProgramError."""
    extra = extras.of(entry.name)
    files, home = work / "files", work / "home"
    for name, text in extra.files.items():
        (files / name).parent.mkdir(parents=True, exist_ok=True)
        (files / name).write_text(text, encoding="utf-8")
    arguments = (*(() if extra.replace else entry.arguments), *extra.arguments)
    return Start(
        (str(program(entry, installed)), *(word.replace(FOLDER, str(files)) for word in arguments)),
        files,
        {_HOME: str(home)} | extras.environment(entry.variables, files),
    )


def program(entry: Entry, installed: Path) -> Path:
    """Return the installed program of a server. Raises NoProgramError."""
    if entry.registry is Registry.NPM:
        name = entry.command or npm_command(entry.package, installed)
        found = installed / "node_modules" / ".bin" / (f"{name}.cmd" if sys.platform == "win32" else name)
    else:
        name = entry.command or entry.package
        folder = program_folder(installed / "venv")
        found = folder / (f"{name}.exe" if sys.platform == "win32" else name)
    if not found.exists():
        raise NoProgramError(f"the package {entry.package} has no program {name}")
    return found


def npm_command(package: str, installed: Path) -> str:
    """Choose a package's program as npx does: its only one, or the one that it is named after.

    Raises NoProgramError where neither is there, or the package's own description cannot be read.
    """
    path = installed / "node_modules" / package / "package.json"
    try:
        programs = json.loads(path.read_text(encoding="utf-8")).get("bin", {})
    except (OSError, ValueError, AttributeError) as problem:
        raise NoProgramError(f"the package.json of {package} cannot be read ({problem})") from None
    own = package.rpartition("/")[2]
    if isinstance(programs, str):
        return own
    if isinstance(programs, dict) and programs:
        if own in programs:
            return own
        if len({str(target) for target in programs.values()}) == 1:
            return str(next(iter(programs)))
    raise NoProgramError(f"the package {package} names no program of its own")
