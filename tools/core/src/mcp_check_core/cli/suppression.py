"""Options that hold findings back, and the one call by which a command reads them.

suppressing = read_policy(options, RULES)                    # before anything starts
Collector(..., hold=suppressing.policy.reason)               # or: suppressing.policy.apply(report)
emit(report, plan)
suppressing.conclude(report, "mcp-fuzz")                     # notices, new baseline, strictness
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcp_check_core.cli.errors import CommandError

if TYPE_CHECKING:
    from mcp_check_core.model.report import Report
    from mcp_check_core.model.rule import Rule
    from mcp_check_core.report.baseline import Baseline
    from mcp_check_core.report.policy import Policy
    from mcp_check_core.report.suppressions import Suppression

_PANEL = "Suppressions"
CONFIG = "mcp-trust.toml"
PYPROJECT = "pyproject.toml"


@dataclass(frozen=True)
class SuppressionOptions:
    """What to accept, and where that is written."""

    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline",
            metavar="FILE",
            help="Accept the findings in this file; judge by new ones alone.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    write_baseline: Annotated[
        Path | None,
        typer.Option(
            "--write-baseline",
            metavar="FILE",
            help="Write a baseline of what was found here.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    strict_suppressions: Annotated[
        bool,
        typer.Option(
            "--strict-suppressions",
            help="Fail where a suppression has expired, or it or a baseline entry matched nothing.",
            rich_help_panel=_PANEL,
        ),
    ] = False
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help=f"Suppressions, in place of {CONFIG} or {PYPROJECT} in this folder.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    no_config: Annotated[
        bool,
        typer.Option(
            "--no-config",
            help="Read no suppressions, whatever this folder holds.",
            rich_help_panel=_PANEL,
        ),
    ] = False


@dataclass(frozen=True, slots=True)
class Suppressing:
    """The policy of a run, and what is to be done with it at the end."""

    policy: "Policy"
    write_to: Path | None = None
    strict: bool = False

    def conclude(self, report: "Report", program: str) -> None:
        """Say on stderr which entries were of no use, and write the new baseline.

        Call it when the report is out. Raises CommandError where the baseline cannot be written, where the
        run is incomplete and one was asked for, or where strictness asks for every entry to be of use.
        """
        from mcp_check_core.report.sanitise import visible

        notices = self.policy.notices(report)
        for notice in notices:
            sys.stderr.write(f"{program}: note: {visible(notice.text)}\n")
        if self.write_to is not None:
            self._write(self.write_to, report)
        certain = sum(notice.certain for notice in notices)
        if self.strict and certain:
            entries = "entry is" if certain == 1 else "entries are"
            raise CommandError(f"--strict-suppressions: {certain} {entries} expired or of no use (see above)")

    def _write(self, path: Path, report: "Report") -> None:
        from mcp_check_core.cli.outputs import write_whole
        from mcp_check_core.model.report import Status
        from mcp_check_core.report.baseline import baseline_document
        from mcp_check_core.report.json_format import dump_document

        if report.status is Status.INCOMPLETE:
            raise CommandError("the run is incomplete, so that no baseline was written")
        write_whole(path, dump_document(baseline_document(self.policy.to_accept(report))))


def read_policy(
    options: SuppressionOptions,
    rules: "Sequence[Rule]",
    *,
    folder: Path | None = None,
    today: date | None = None,
) -> Suppressing:
    """Read suppressions and baseline. Raises CommandError for a file that is missing, broken or newer.

    `rules` are those that the run announces. Without `--config` the files lie in `folder` (default: the
    current one). `today` decides what has expired (default: the day here).
    """
    from mcp_check_core.cli.outputs import check_writable
    from mcp_check_core.report.baseline import Baseline
    from mcp_check_core.report.policy import Policy

    if options.config is not None and options.no_config:
        raise CommandError("give --config or --no-config, not both")
    if options.write_baseline is not None:
        check_writable(options.write_baseline)
    policy = Policy(
        today=today or datetime.now().astimezone().date(),
        suppressions=() if options.no_config else _suppressions(options.config, folder or Path(), rules),
        baseline=Baseline({}) if options.baseline is None else _baseline(options.baseline),
    )
    return Suppressing(policy, options.write_baseline, options.strict_suppressions)


def _suppressions(given: Path | None, folder: Path, rules: "Sequence[Rule]") -> "tuple[Suppression, ...]":
    if given is not None:
        return _read_config(given, rules)
    own, shared = folder / CONFIG, folder / PYPROJECT
    in_shared = _read_config(shared, rules) if shared.is_file() else ()
    if not own.is_file():
        return in_shared
    if in_shared:
        raise CommandError(f"both {CONFIG} and {PYPROJECT} hold suppressions; keep them in one")
    return _read_config(own, rules)


def _read_config(path: Path, rules: "Sequence[Rule]") -> "tuple[Suppression, ...]":
    from mcp_check_core.report.suppressions import MAX_CONFIG_BYTES, SuppressionError, read_suppressions

    data = _bytes(path, MAX_CONFIG_BYTES, "configuration")
    try:
        return read_suppressions(data, rules, pyproject=path.name == PYPROJECT)
    except SuppressionError as problem:
        raise CommandError(f"{str(path)!r}: {problem}") from None


def _baseline(path: Path) -> "Baseline":
    from mcp_check_core.report.baseline import MAX_BASELINE_BYTES, BaselineError, read_baseline

    try:
        return read_baseline(_bytes(path, MAX_BASELINE_BYTES, "baseline"))
    except BaselineError as problem:
        raise CommandError(f"--baseline: {str(path)!r} cannot be used: {problem}") from None


def _bytes(path: Path, most: int, what: str) -> bytes:
    """Read a file up to a byte more than may be in it, so that its reader can say that it is too large."""
    try:
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as problem:
        raise CommandError(f"cannot read the {what} {str(path)!r}: {problem.strerror or problem}") from None
