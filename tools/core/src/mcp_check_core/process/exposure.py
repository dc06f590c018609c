"""What of the folders that a sandbox hides its server needs all the same, in order to start.

A sandbox has a home, a temporary folder and a /run of its own. What the command line, the environment or the
working folder leads to in the real ones is shown, read-only and with what lies around it, and nothing else
is: a server started by an interpreter of ~/.pyenv sees ~/.pyenv, and no keys.
"""

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

_DEEPER = {".cache": 2, ".config": 2, ".local": 3}
"""How many components of a path below the home make one thing; elsewhere it is the first."""

_USUAL = (".local/lib", ".local/bin", ".local/share/uv", ".local/share/mise", ".rustup", ".tool-versions")
"""What interpreters and version switchers in the home read besides the place that they stand in."""

_BETWEEN_PATHS = re.compile(r"[:=,]")
_HOPS_AT_MOST = 40
_SCRIPTS_AT_MOST = 3
_FIRST_LINE = 256


def exposed(words: Iterable[str], hidden: Path) -> list[Path]:
    """Return what below `hidden` is to be shown for the paths in `words`, the shorter paths first."""
    found = {unit for word in words for path in paths_in(word, hidden) if (unit := _unit(path, hidden))}
    found |= {path for name in _USUAL if (path := hidden / name).exists()}
    return sorted(_outermost(found), key=lambda path: (len(path.parts), path))


def paths_in(word: str, home: Path) -> Iterator[Path]:
    """Yield the absolute paths that a word may name, `~` being `home`, with all that they are links to."""
    for part in _BETWEEN_PATHS.split(word):
        text = f"{home}{part[1:]}" if part == "~" or part.startswith("~/") else part
        if text.startswith("/") and "\0" not in text:
            yield from _hops(Path(os.path.normpath(text)))


def program_chain(argv: tuple[str, ...], env: Mapping[str, str], cwd: Path) -> list[str]:
    """Return the paths of the program, and of the interpreters that scripts name in their first line."""
    chain: list[str] = []
    word = argv[0]
    for _ in range(_SCRIPTS_AT_MOST):
        path = os.path.normpath(cwd / word) if os.sep in word else shutil.which(word, path=env.get("PATH"))
        if path is None:
            break
        chain.append(path)
        words = _first_line(path)
        if not words:
            break
        chain.append(words[0])
        is_env = len(words) > 1 and Path(words[0]).name == "env"
        word = (
            next((each for each in words[1:] if not each.startswith("-")), words[0]) if is_env else words[0]
        )
    return chain


def _hops(path: Path) -> Iterator[Path]:
    """Yield `path` with its parents resolved, then each that it is a link to."""
    for _ in range(_HOPS_AT_MOST):
        path = Path(os.path.realpath(path.parent)) / path.name
        yield path
        try:
            path = path.parent / path.readlink()
        except OSError:
            return  # no link, or nothing there: then there is nothing to show either


def _unit(path: Path, hidden: Path) -> Path | None:
    """Return the part of `hidden` that is shown for `path`; None where `path` is not in it, or nothing is."""
    if not path.is_relative_to(hidden) or path == hidden:
        return None
    parts = path.relative_to(hidden).parts
    unit = hidden.joinpath(*parts[: _DEEPER.get(parts[0], 1)])
    return unit if unit.exists() and not unit.is_symlink() else None


def _outermost(paths: set[Path]) -> set[Path]:
    return {path for path in paths if not paths.intersection(path.parents)}


def _first_line(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as text, since it is one word among others
            line = file.readline(_FIRST_LINE)
    except OSError:
        return []
    return os.fsdecode(line[2:]).split() if line.startswith(b"#!") else []
