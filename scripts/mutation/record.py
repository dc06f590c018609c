"""Verdicts of earlier runs, kept by the content of what they depend on, so that a run can be resumed."""

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scripts.mutation.mutants import Mutant
from scripts.mutation.trial import OUT_OF_TIME, Verdict

FOLDER = Path(".cache", "mutants")


@dataclass(slots=True)
class Record:
    """The verdicts on the mutants of one tool, a JSON line each.

    A verdict holds while the package, the support files of its tests and the tests that gave it are the same:
    for a killed mutant the file that killed it, for a survivor all. Core is not among them: `--fresh` tries
    everything again. A mutant that ran out of time is always tried again.
    """

    root: Path
    tool: str
    common: str
    tests: Sequence[str]
    _known: dict[str, Mapping[str, object]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def path(self) -> Path:
        """The file of verdicts."""
        return self.root / FOLDER / f"{self.tool}.jsonl"

    def load(self) -> None:
        """Read what there is; the last verdict on a mutant counts."""
        if self.path.is_file():
            for line in self.path.read_text("utf-8").splitlines():
                entry = json.loads(line)
                self._known[entry["mutant"]] = entry

    def verdict(self, file: Path, mutant: Mutant) -> Verdict | None:
        """Give the verdict on a mutant if it still holds."""
        entry = self._known.get(_key(file, mutant))
        if entry is None:
            return None
        killer = entry["by"]
        held = entry["depends"] == self._depends(killer if isinstance(killer, str) else None)
        return Verdict(killer if isinstance(killer, str) else None) if held else None

    def keep(self, file: Path, mutant: Mutant, verdict: Verdict) -> None:
        """Write a verdict down at once."""
        if verdict.killed_by == OUT_OF_TIME:
            return
        depends = self._depends(verdict.killed_by)
        line = json.dumps({"mutant": _key(file, mutant), "by": verdict.killed_by, "depends": depends})
        with self._lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as record:
                record.write(f"{line}\n")

    def _depends(self, killer: str | None) -> str:
        names = [killer] if killer else self.tests
        return digest([self.root / name for name in names], self.common)


def digest(paths: Sequence[Path], salt: str = "") -> str:
    """Give one hash of the contents of files, and of all Python and Markdown files in folders."""
    total = hashlib.sha256(salt.encode())
    for path in paths:
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in files:
            if file.is_file() and file.suffix in (".py", ".md", ".toml"):
                total.update(f"\0{file.name}\0".encode())
                total.update(file.read_bytes())
    return total.hexdigest()


def _key(file: Path, mutant: Mutant) -> str:
    return hashlib.sha256(f"{file.as_posix()}\0{mutant.text}".encode()).hexdigest()
