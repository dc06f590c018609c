"""What the index of a corpus does not say: made-up values of variables, and what some servers need."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

FILE = Path(__file__).with_name("servers.toml")
FOLDER = "<dir>"
"""Stands for the throw-away folder in arguments and values."""
FALLBACK = "placeholder-0123456789"


@dataclass(frozen=True, slots=True)
class Extra:
    """What one server needs besides its row: arguments after those of its row, and files that it looks for.

    `replace`: the arguments stand for those of its row. `scripts`: its packages' install scripts have to run.
    """

    arguments: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    requirements: tuple[str, ...] = ()
    replace: bool = False
    scripts: bool = False


@dataclass(frozen=True, slots=True)
class Extras:
    """The table of all servers, and of the values of variables."""

    servers: Mapping[str, Extra] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)

    def of(self, name: str) -> Extra:
        """Return what a server needs besides; nothing for one that is not in the table."""
        return self.servers.get(name, Extra())

    def environment(self, variables: Iterable[str], folder: Path) -> dict[str, str]:
        """Give each variable its made-up value."""
        return {name: self.values.get(name, FALLBACK).replace(FOLDER, str(folder)) for name in variables}


def read_extras(path: Path = FILE) -> Extras:
    """Read the table. Raises OSError, ValueError and TypeError for a file that is none."""
    held = tomllib.loads(path.read_text(encoding="utf-8"))
    servers = {
        name: Extra(
            tuple(given.get("arguments", ())),
            {file: str(text) for file, text in given.get("files", {}).items()},
            tuple(given.get("requirements", ())),
            bool(given.get("replace", False)),
            bool(given.get("scripts", False)),
        )
        for name, given in held.get("servers", {}).items()
    }
    return Extras(servers, {name: str(value) for name, value in held.get("variables", {}).items()})
