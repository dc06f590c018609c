"""Try the mutants of a tool's rules: which of them no test turns red for."""

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue

from scripts.mutation.mutants import Mutant, mutants_of
from scripts.mutation.record import Record, digest
from scripts.mutation.trial import OUT_OF_TIME, Overlay, Stage, TrialError, Verdict
from scripts.rulebook.homes import CORE, Home, declared

_EXAMPLES = "test_examples.py"
_OF_A_MODULE = 2
"""Mutants of one module in a sample."""
_SLOWER, _AT_LEAST_S = 5.0, 60.0
"""A mutant may take this many times as long as the code itself, and at least that many seconds."""


@dataclass(frozen=True, slots=True)
class Target:
    """A mutant to try, the module that it is of (from the root), its slugs, and its text as it was read."""

    file: Path
    slugs: tuple[str, ...]
    source: str
    mutant: Mutant


@dataclass(frozen=True, slots=True)
class Tried:
    """A target with its verdict, and whether that was known from before."""

    target: Target
    verdict: Verdict
    known: bool


def modules(home: Home, root: Path, slug: str = "") -> dict[Path, tuple[str, ...]]:
    """Map the modules of a home's rules, or the one that declares a slug, to the slugs that each declares.

    For a tool these are all modules in `rules`, for core those that declare one. Raises LookupError.
    """
    found: dict[Path, tuple[str, ...]] = {}
    if home is not CORE:
        found = {path.relative_to(root): () for path in sorted((root / home.rules).glob("*.py"))}
    for rule_id, module in declared(home).items():
        file = home.source.parent / Path(*module.split(".")).with_suffix(".py")
        found[file] = (*found.get(file, ()), rule_id.partition("/")[2])
    if slug:
        found = {file: slugs for file, slugs in found.items() if slug in slugs}
    if not found:
        raise LookupError(f"{home.short} has no rule {slug!r}")
    return dict(sorted(found.items()))


def targets(root: Path, files: Mapping[Path, tuple[str, ...]]) -> list[Target]:
    """List the mutants of modules."""
    texts = {file: (root / file).read_text("utf-8") for file in files}
    return [
        Target(file, slugs, texts[file], mutant)
        for file, slugs in files.items()
        for mutant in mutants_of(texts[file])
    ]


def sample(root: Path, files: Mapping[Path, tuple[str, ...]], number: int, seed: int) -> list[Target]:
    """Draw mutants, the same ones for the same seed: a few of one module, then of the next one drawn."""
    chance = random.Random(seed)
    drawn: list[Target] = []
    for file in chance.sample(list(files), len(files)):
        of_one = targets(root, {file: files[file]})
        drawn += chance.sample(of_one, min(len(of_one), _OF_A_MODULE, number - len(drawn)))
    return drawn


class Campaign:
    """Tries mutants of one home, several at a time, each in a copy of the package."""

    def __init__(self, home: Home, root: Path, stages: Sequence[Sequence[str]], jobs: int) -> None:
        self._home, self._root, self._stages, self._jobs = home, root, stages, jobs
        tests = [name for stage in stages for name in stage]
        shared = [root / home.folder / "tests", root / "tests" / "rules"]
        support = [path for folder in shared for path in sorted(folder.rglob("*.py")) if not _is_test(path)]
        self._record = Record(root, home.short, digest([root / home.source, *support]), tests)
        self._limits: dict[Stage, float] = {}
        self._killers: dict[Path, str] = {}

    def run(
        self, chosen: Sequence[Target], tell: Callable[[Tried], None], *, fresh: bool = False
    ) -> list[Tried]:
        """Try each target. Raises TrialError where the tests fail on the code as it is, or do not run."""
        if not fresh:
            self._record.load()
        with self._overlays() as overlays, ThreadPoolExecutor(self._jobs) as pool:
            waiting = [pool.submit(self._try, target, overlays) for target in chosen]
            try:
                done = []
                for one in waiting:
                    done.append(one.result())
                    tell(done[-1])
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return done

    @contextmanager
    def _overlays(self) -> Iterator["SimpleQueue[Overlay]"]:
        """Make a copy of the package for each job, tried on the code as it is."""
        queue: SimpleQueue[Overlay] = SimpleQueue()
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            for number in range(self._jobs):
                overlay = Overlay(self._root, self._home.source, Path(folder, str(number)).resolve())
                if number == 0:
                    overlay.check()
                queue.put(overlay)
            yield queue

    def _try(self, target: Target, overlays: "SimpleQueue[Overlay]") -> Tried:
        known = self._record.verdict(target.file, target.mutant)
        if known is not None:
            return Tried(target, known, known=True)
        overlay = overlays.get()
        try:
            overlay.put(target.file, target.mutant.text)
            verdict = self._judged(target, overlay)
        finally:
            overlay.put(target.file, target.source)
            overlays.put(overlay)
        self._record.keep(target.file, target.mutant, verdict)
        return Tried(target, verdict, known=False)

    def _judged(self, target: Target, overlay: Overlay) -> Verdict:
        """Run the stages until one kills; the file that killed the last mutant of the module comes first."""
        verdict = Verdict(None)
        for number, files in enumerate(self._stages):
            stage = self._known_good(_stage(self._home, tuple(files), target), target, overlay)
            if number == 0 and (likely := self._killers.get(target.file)):
                stage = replace(stage, files=(likely, *stage.files))
            verdict = overlay.judge(stage)
            if verdict.killed_by is not None:
                if number == 0 and verdict.killed_by != OUT_OF_TIME:
                    self._killers[target.file] = verdict.killed_by
                break
        return verdict

    def _known_good(self, stage: Stage, target: Target, overlay: Overlay) -> Stage:
        """Give a stage its limit, once it has passed on the code as it is. Raises TrialError."""
        if stage not in self._limits:
            overlay.put(target.file, target.source)
            began = time.monotonic()
            verdict = overlay.judge(stage)
            if verdict.killed_by is not None:
                raise TrialError(f"{verdict.killed_by} fails on the code as it is")
            self._limits[stage] = max(_AT_LEAST_S, _SLOWER * (time.monotonic() - began))
            overlay.put(target.file, target.mutant.text)
        return replace(stage, limit_s=self._limits[stage])


def _stage(home: Home, files: tuple[str, ...], target: Target) -> Stage:
    names = [f"{home.short}-{slug}-" for slug in target.slugs] or [f"{home.short}-"]
    return Stage(files, " or ".join(names) if all(name.endswith(_EXAMPLES) for name in files) else "")


def _is_test(path: Path) -> bool:
    return path.name.startswith("test_")
