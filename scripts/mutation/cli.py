"""The command line: try the mutants, and say which live."""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from scripts.mutation.campaign import Campaign, Target, Tried, modules, sample, targets
from scripts.mutation.mutants import difference
from scripts.mutation.settings import SETTINGS, Settings, SettingsError, read_settings
from scripts.mutation.trial import OUT_OF_TIME, TrialError
from scripts.rulebook.homes import ROOT, home_of

_OK, _ALIVE, _UNUSABLE, _INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Try the mutants of one tool or of each; the exit code is 1 where one lives that is not allowed."""
    options = _parser().parse_args(argv)
    try:
        settings = read_settings(root)
        unknown = [tool for tool in options.tool if tool not in settings.stages]
        if unknown:
            raise SettingsError(f"{SETTINGS.as_posix()} names no tests for {unknown[0]}")
        tools = options.tool or list(settings.stages)
        if options.rule and len(tools) != 1:
            raise SettingsError("--rule needs the --tool that it belongs to")
        return max(_tool(tool, settings, options, root) for tool in tools)
    except (SettingsError, TrialError, LookupError) as problem:
        print(f"mutate_rules: {problem}", file=sys.stderr)
        return _UNUSABLE
    except KeyboardInterrupt:
        print("mutate_rules: interrupted; the same command goes on where this one stopped", file=sys.stderr)
        return _INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mutate_rules.py", description="Change each condition of the rules and see a test turn red."
    )
    parser.add_argument("--tool", action="append", default=[], help="short name; may be given again")
    parser.add_argument("--rule", default="", metavar="SLUG", help="only the module that declares this rule")
    parser.add_argument("--jobs", type=int, default=2, help="mutants tried at a time")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="try N mutants, not all")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--fresh", action="store_true", help="try again what is known from earlier runs")
    return parser


def _tool(tool: str, settings: Settings, options: argparse.Namespace, root: Path) -> int:
    home = home_of(tool)
    files = modules(home, root, options.rule)
    drawn = f", drawn by seed {options.seed}" if options.sample else ""
    chosen = sample(root, files, options.sample, options.seed) if options.sample else targets(root, files)
    print(f"{tool}: {len(chosen)} mutants{drawn}, of {len(files)} modules", flush=True)
    progress = _Progress(len(chosen), settings)
    campaign = Campaign(home, root, settings.stages[tool], options.jobs)
    tried = campaign.run(chosen, progress.tell, fresh=options.fresh)
    print(_table(tried, settings))
    alive = [one for one in tried if one.verdict.killed_by is None]
    unlisted = [one for one in alive if not _allowed(one.target, settings)]
    for one in unlisted:
        print(f"\n{_place(one.target)}: no test tells this from the code\n{_shown(one.target)}")
    stale = [] if options.sample or options.rule else _stale(tool, alive, settings)
    for text in stale:
        print(f"\nno longer needed in {SETTINGS.as_posix()}: {text}")
    return _ALIVE if unlisted or stale else _OK


class _Progress:
    """Says each survivor when it is found, and every fiftieth mutant."""

    def __init__(self, total: int, settings: Settings) -> None:
        self._total, self._settings, self._done = total, settings, 0

    def tell(self, one: Tried) -> None:
        self._done += 1
        if one.verdict.killed_by is None and not _allowed(one.target, self._settings):
            mutant = one.target.mutant
            print(f"  alive: {_place(one.target)}: {mutant.was} -> {mutant.now}", flush=True)
        if self._done % 50 == 0:
            print(f"  {self._done} of {self._total}", flush=True)


def _table(tried: Sequence[Tried], settings: Settings) -> str:
    rows: dict[str, Counter[str]] = {}
    for one in tried:
        count = rows.setdefault(one.target.file.name, Counter())
        count["mutants"] += 1
        if one.verdict.killed_by is not None:
            count["time" if one.verdict.killed_by == OUT_OF_TIME else "killed"] += 1
        else:
            count["allowed" if _allowed(one.target, settings) else "alive"] += 1
        count["known"] += one.known
    columns = ("mutants", "killed", "time", "allowed", "alive", "known")
    rows["all"] = sum(rows.values(), Counter())
    head = f"{'module':<26}" + "".join(f"{name:>9}" for name in columns)
    body = [f"{name:<26}" + "".join(f"{count[key]:>9}" for key in columns) for name, count in rows.items()]
    return "\n".join([head, *body])


def _allowed(target: Target, settings: Settings) -> bool:
    return any(entry.names(target.file, target.mutant) for entry in settings.allowed)


def _stale(tool: str, alive: Sequence[Tried], settings: Settings) -> list[str]:
    """List the allowed mutants of a tool that were killed, or that there are none like."""
    folder = home_of(tool).source.as_posix()
    return [
        f"{entry.file}, {entry.within}: {entry.was} -> {entry.now}"
        for entry in settings.allowed
        if entry.file.startswith(f"{folder}/")
        and not any(entry.names(one.target.file, one.target.mutant) for one in alive)
    ]


def _place(target: Target) -> str:
    return f"{target.file.as_posix()}:{target.mutant.line}"


def _shown(target: Target) -> str:
    return difference(target.source, target.mutant, target.file.name)
