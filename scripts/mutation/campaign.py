"""Try the mutants of a tool's rules: which of them no test turns red for."""

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue

from scripts.mutation.mutants import Mutant, mutants_of
from scripts.mutation.record import Record, digest
from scripts.mutation.trial import Overlay, Stage, TrialError, Verdict
from scripts.rulebook.homes import CORE, Home, declared

_EXAMPLES = "test_examples.py"
_SLOWER, _AT_LEAST_S = 5.0, 60.0
"""A mutant may take this many times as long as the code itself, and at least that many seconds."""


@dataclass(frozen=True, slots=True)
class Target:
    """A mutant to try, the module that it is of (from the root), and the slugs declared in that module."""

    file: Path
    slugs: tuple[str, ...]
    mutant: Mutant


@dataclass(frozen=True, slots=True)
class Tried:
    """A target with its verdict, and whether that was known from before."""

    target: Target
    verdict: Verdict
    known: bool


def targets(home: Home, root: Path, slug: str = "") -> list[Target]:
    """List the mutants of the rules of a home, or of the module that declares one. Raises LookupError."""
    modules: dict[Path, list[str]] = {}
    for rule_id, module in declared(home).items():
        file = home.source.parent / Path(*module.split(".")).with_suffix(".py")
        modules.setdefault(file, []).append(rule_id.partition("/")[2])
    if slug:
        modules = {file: slugs for file, slugs in modules.items() if slug in slugs}
        if not modules:
            raise LookupError(f"{home.short} has no rule {slug!r}")
    elif home is not CORE:
        for path in sorted((root / home.rules).glob("*.py")):
            modules.setdefault(path.relative_to(root), [])
    return [
        Target(file, tuple(slugs), mutant)
        for file, slugs in sorted(modules.items())
        for mutant in mutants_of((root / file).read_text("utf-8"))
    ]


def sample(all_targets: Sequence[Target], number: int, seed: int) -> list[Target]:
    """Draw some of the targets, the same ones for the same seed."""
    return random.Random(seed).sample(list(all_targets), min(number, len(all_targets)))


class Campaign:
    """Tries mutants of one home, several at a time, each in a copy of the package."""

    def __init__(self, home: Home, root: Path, stages: Sequence[Sequence[str]], jobs: int) -> None:
        self._home, self._root, self._stages, self._jobs = home, root, stages, jobs
        tests = [name for stage in stages for name in stage]
        support = [path for path in sorted((root / home.folder / "tests").glob("*.py")) if not _is_test(path)]
        self._record = Record(root, home.short, digest([root / home.source, *support]), tests)
        self._limits: dict[Stage, float] = {}

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
            overlay.restore(target.file)
            overlays.put(overlay)
        self._record.keep(target.file, target.mutant, verdict)
        return Tried(target, verdict, known=False)

    def _judged(self, target: Target, overlay: Overlay) -> Verdict:
        verdict = Verdict(None)
        for files in self._stages:
            stage = self._known_good(_stage(self._home, tuple(files), target), target, overlay)
            verdict = overlay.judge(stage)
            if verdict.killed_by is not None:
                break
        return verdict

    def _known_good(self, stage: Stage, target: Target, overlay: Overlay) -> Stage:
        """Give a stage its limit, once it has passed on the code as it is. Raises TrialError."""
        if stage not in self._limits:
            overlay.restore(target.file)
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
