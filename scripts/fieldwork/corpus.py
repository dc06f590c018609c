"""The index of a corpus: which servers there are, in which version, and how each is started.

`INDEX.tsv` has a header and a row for each server. Needed are the columns `name`, `registry` (npm or pypi)
and `package`; `version` (empty: the newest), `launch` (empty: the program that the package is named after),
`env` (names, joined by commas) and `notes` may be empty.
"""

import csv
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

INDEX = "INDEX.tsv"
INDEX_BYTES = 4_000_000
_NEEDED = ("name", "registry", "package")
_NAME = re.compile(r"\w[\w.-]{0,99}", re.ASCII)
_PACKAGE = re.compile(r"(?:@\w[\w.-]*/)?\w[\w.-]*", re.ASCII)
_VERSION = re.compile(r"(?:\w[\w.+!-]*)?", re.ASCII)
_VARIABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_REQUIREMENT = r"[A-Za-z][\w.-]*[<>=!~]=?[\w.]*\w"
_CAPTURED_WITH = re.compile(rf"captured with ({_REQUIREMENT}(?:, {_REQUIREMENT})*)")


class CorpusError(Exception):
    """The corpus cannot be used; the message says what is wrong with which file and line."""


class Registry(StrEnum):
    """Where a server's package comes from."""

    NPM = "npm"
    PYPI = "pypi"


@dataclass(frozen=True, slots=True)
class Entry:
    """One server of the corpus.

    `command` is the installed program, None for the one that the package is named after. `constraints` are
    requirements that the server was captured with. `left_out` says why nobody should try, or is empty.
    """

    name: str
    registry: Registry
    package: str
    version: str
    command: str | None
    arguments: tuple[str, ...]
    variables: tuple[str, ...]
    constraints: tuple[str, ...] = ()
    launch: str = ""
    left_out: str = ""

    @property
    def pinned(self) -> str:
        """The package in its version, as the registry's client writes it."""
        pin = {Registry.NPM: "@", Registry.PYPI: "=="}[self.registry]
        return f"{self.package}{pin}{self.version}" if self.version else self.package

    @property
    def requirements(self) -> tuple[str, ...]:
        """What the registry's client is asked for."""
        return (self.pinned, *self.constraints)

    @property
    def command_line(self) -> tuple[str, ...]:
        """The words with which a user starts the server, `<dir>` standing for a folder."""
        if self.launch:
            return tuple(shlex.split(self.launch))
        if self.registry is Registry.NPM:
            return ("npx", "-y", self.pinned)
        return ("uvx", "--from", self.pinned, self.package)


def read_index(folder: Path) -> tuple[Entry, ...]:
    """Read a corpus's index in its order. Raises CorpusError."""
    path = folder / INDEX
    try:
        if path.stat().st_size > INDEX_BYTES:
            raise CorpusError(f"{path}: larger than {INDEX_BYTES} bytes")
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise CorpusError(f"{path}: cannot be read ({problem})") from None
    return read_rows(lines, str(path))


def read_rows(lines: Iterable[str], where: str) -> tuple[Entry, ...]:
    """Read the lines of an index; `where` names them in errors. Raises CorpusError."""
    reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, restval="")
    if missing := [column for column in _NEEDED if column not in (reader.fieldnames or ())]:
        raise CorpusError(f"{where}: no column {', '.join(missing)}")
    entries: dict[str, Entry] = {}
    for number, row in enumerate(reader, start=2):
        entry = _entry(row, f"{where}, line {number}")
        if entry.name in entries:
            raise CorpusError(f"{where}, line {number}: {entry.name!r} is there twice")
        entries[entry.name] = entry
    return tuple(entries.values())


def choose(entries: Sequence[Entry], names: Sequence[str], limit: int | None = None) -> tuple[Entry, ...]:
    """Return the named servers in the order named, or all, `limit` at most. Raises CorpusError."""
    known = {entry.name: entry for entry in entries}
    if unknown := [name for name in names if name not in known]:
        raise CorpusError(f"the index has no server {', '.join(map(repr, unknown))}")
    chosen = tuple(known[name] for name in dict.fromkeys(names)) if names else tuple(entries)
    return chosen[:limit]


def _entry(row: Mapping[str, str], where: str) -> Entry:
    notes = row.get("notes", "").strip()
    launch = row.get("launch", "").strip()
    registry = row["registry"].strip()
    if registry not in tuple(Registry):
        raise CorpusError(f"{where}: registry is {registry!r}, not npm or pypi")
    command, arguments = _launched(launch, where)
    variables = tuple(name.strip() for name in row.get("env", "").split(",") if name.strip())
    for name in variables:
        _fits(_VARIABLE, name, "env", where)
    return Entry(
        name=_fits(_NAME, row["name"].strip(), "name", where),
        registry=Registry(registry),
        package=_fits(_PACKAGE, row["package"].strip(), "package", where),
        version=_fits(_VERSION, row.get("version", "").strip(), "version", where),
        command=command,
        arguments=arguments,
        variables=variables,
        constraints=_constraints(notes) if registry == Registry.PYPI else (),
        launch=launch,
        left_out=notes if notes.startswith("NOT RUN") else "",
    )


def _fits(pattern: re.Pattern[str], value: str, column: str, where: str) -> str:
    """Return a value that is safe as a folder's name and as a word of a command line."""
    if pattern.fullmatch(value) is None:
        raise CorpusError(f"{where}: {column} is {value[:80]!r}, which is none")
    return value


def _constraints(notes: str) -> tuple[str, ...]:
    found = _CAPTURED_WITH.search(notes)
    return tuple(found[1].split(", ")) if found else ()


def _launched(launch: str, where: str) -> tuple[str | None, tuple[str, ...]]:
    """Split `npx -y [-p SPEC] WORD ARG…` or `uvx [--from SPEC] WORD ARG…` into program and arguments.

    With no SPEC apart, WORD names the package, and the program is the one that it is named after.
    """
    try:
        words = shlex.split(launch)
    except ValueError as problem:
        raise CorpusError(f"{where}: launch cannot be split into words ({problem})") from None
    if not words:
        return None, ()
    if words[0] not in ("npx", "uvx"):
        raise CorpusError(f"{where}: launch begins with {words[0]!r}, not npx or uvx")
    rest = [word for word in words[1:2] if word not in ("-y", "--yes")] + words[2:]
    if rest and rest[0] in ("-p", "--package", "--from"):
        return _fits(_NAME, (rest[2:3] or [""])[0], "the program of launch", where), tuple(rest[3:])
    return None, tuple(rest[1:])
