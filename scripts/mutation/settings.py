"""What `scripts/mutants.toml` says: the tests that judge the mutants of each tool, and which may live."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.mutation.mutants import Mutant

SETTINGS = Path("scripts", "mutants.toml")


class SettingsError(ValueError):
    """The file cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """A mutant that no test can tell from the code, and why: its file, function, code before and after."""

    file: str
    within: str
    was: str
    now: str
    reason: str

    def names(self, file: Path, mutant: Mutant) -> bool:
        """Say whether a mutant of a file is this one."""
        mine = (self.file, self.within, self.was, self.now)
        return mine == (file.as_posix(), mutant.within, mutant.was, mutant.now)


@dataclass(frozen=True, slots=True)
class Settings:
    """The stages of tests by tool, quick ones first, and the mutants that are allowed."""

    stages: Mapping[str, Sequence[Sequence[str]]]
    allowed: Sequence[Allowed]


def read_settings(root: Path) -> Settings:
    """Read the file. Raises SettingsError."""
    table = tomllib.loads((root / SETTINGS).read_text("utf-8"))
    stages = {tool: tuple(map(tuple, entry["stages"])) for tool, entry in table["tests"].items()}
    missing = [
        name for tests in stages.values() for stage in tests for name in stage if not (root / name).exists()
    ]
    if missing:
        raise SettingsError(f"{SETTINGS.as_posix()} names {missing[0]}, which does not exist")
    try:
        allowed = tuple(Allowed(**entry) for entry in table.get("allowed", ()))
    except TypeError as problem:
        raise SettingsError(f"an entry of `allowed` in {SETTINGS.as_posix()}: {problem}") from problem
    if any(not entry.reason.strip() for entry in allowed):
        raise SettingsError(f"an entry of `allowed` in {SETTINGS.as_posix()} has no reason")
    return Settings(stages, allowed)
