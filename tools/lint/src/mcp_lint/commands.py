"""What the commands do once their options are read. Imported when one of them runs."""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.execute import Ended, execute
from mcp_check_core.cli.exit_code import ExitCode, FailOn, Gate, exit_code
from mcp_check_core.cli.options import Format, GateOptions, OutputOptions
from mcp_check_core.cli.outputs import check_writable, emit, plan_outputs
from mcp_check_core.cli.rendering import Rendering
from mcp_check_core.cli.server import Limits, Server
from mcp_check_core.cli.stdout import write_stdout
from mcp_check_core.cli.suppression import SuppressionOptions, read_policy
from mcp_check_core.judges.change_kinds import Band
from mcp_check_core.model.finding import Location, Severity
from mcp_check_core.model.report import Outcome, Report
from mcp_check_core.report.json_format import dump_document
from mcp_check_core.report.redact import Redactor
from mcp_check_core.report.rule_book import rule_book
from mcp_lint.engine.build import Hold, live_check, saved_check
from mcp_lint.engine.check import LintCheck, Wanted
from mcp_lint.engine.comparison import as_data, as_text, in_order
from mcp_lint.engine.keeper import LockKeeper, Mode, band_of, errors
from mcp_lint.facts.confusable import pairs
from mcp_lint.facts.settings import Settings
from mcp_lint.lock.document import Launch, Lock
from mcp_lint.lock.home import baseline_path
from mcp_lint.lock.store import DEFAULT_PATH, find_lock, read_lock
from mcp_lint.options import AgainOptions, FailOnChange, LintOptions, LockOptions, Scale, Store
from mcp_lint.registry import LOCK, RULES
from mcp_lint.render.text import text_renderer

Source: TypeAlias = tuple[Server, Limits] | Path
"""What to read: a server with its limits, or a saved list."""
PROGRAM = "mcp-lint"
_SAVED_RUN_S = 300.0
_NOT_LINTED = "lock compares definitions and judges nothing else"
_SEVERITIES = frozenset(Severity)
_BANDS = frozenset(Band)


def lint(
    source: Source,
    options: LintOptions,
    output: OutputOptions,
    gate: GateOptions,
    suppression: SuppressionOptions,
    *,
    again: AgainOptions | None = None,
    debug: bool = False,
) -> int:
    """Judge a server or a saved list, and give the exit code. Raises CommandError."""
    plan = plan_outputs(output)
    suppressing = read_policy(suppression, RULES)
    wanted = Wanted(Settings(options.profile), lock=read_lock(options.lock) if options.lock else None)
    with ExitStack() as files:
        check = _check(files, source, output, wanted, suppressing.policy.reason, again=again)
        ended = execute(check, _run_s(source), debug=debug)
    code = exit_code(
        ended.report, Gate(gate.fail_on or FailOn.ERROR, gate.fail_under), interrupted=ended.interrupted
    )
    emit(ended.report, plan, using=_rendering(source, options.min_severity, code))
    suppressing.conclude(ended.report, PROGRAM)
    return code


def lock(
    source: Source,
    options: LockOptions,
    output: OutputOptions,
    suppression: SuppressionOptions,
    *,
    debug: bool = False,
) -> int:
    """Write, refresh or check a lockfile, and give the exit code. Raises CommandError."""
    _refuse_contradictions(options)
    path = _lock_path(source, options)
    plan = plan_outputs(output)
    suppressing = read_policy(suppression, RULES)
    former = read_lock(path) if options.check else find_lock(path)
    keeper = _keeper(source, options, path, former)
    wanted = Wanted(static=_NOT_LINTED, lock=former, no_lock="there was no lockfile yet")
    hold = suppressing.policy.reason if options.check else None
    with ExitStack() as files:
        check = _check(files, source, output, wanted, hold, keeper)
        ended = execute(check, _run_s(source), debug=debug)
    if keeper.refusal is not None and not ended.interrupted:
        raise CommandError(f"nothing was locked: {keeper.refusal}")
    code = _lock_code(ended, keeper, options)
    emit(ended.report, plan, using=_rendering(source, Severity.INFO, code))
    if options.check:
        suppressing.conclude(ended.report, PROGRAM)
    elif code == ExitCode.GATE:
        count = errors(ended.report.findings)
        told = "1 change at error level was" if count == 1 else f"{count} changes at error level were"
        raise RefusedError(f"{told} not accepted, so the lockfile stays as it is; --accept writes it anew")
    return code


class RefusedError(Exception):
    """A refresh that was refused; the message is for stderr, and the exit code is that of a broken gate."""


def compare(source: Source, output: OutputOptions, *, debug: bool = False) -> int:
    """Print the pairs of tools that are alike, with the numbers. Raises CommandError."""
    if output.json_out is not None or output.output or output.format not in (Format.TEXT, Format.JSON):
        raise CommandError("compare prints text, or with --json a document of its own")
    with ExitStack() as files:
        check = _check(files, source, output, Wanted(static="the pairs alone are wanted"), None)
        ended = execute(check, _run_s(source), debug=debug)
    if ended.interrupted:
        return ExitCode.INTERRUPTED
    if check.gathered is None or ended.report.errors:
        told = [
            *(one.message for one in ended.report.errors),
            *(one.message for one in ended.report.findings),
        ]
        raise CommandError(f"there is nothing to compare: {told[0] if told else 'the list was not read'}")
    found = in_order(list(pairs(check.gathered.definitions.tools)))
    json_wanted = output.json or output.format is Format.JSON
    write_stdout(dump_document(as_data(found)) if json_wanted else as_text(found).encode())
    return ExitCode.OK


def _refuse_contradictions(options: LockOptions) -> None:
    if options.check and options.accept:
        raise CommandError("give --check or --accept, not both")
    if options.fail_on is not None and not options.check:
        raise CommandError("--fail-on: only --check has a gate; a refresh is refused by its errors")
    fits = _BANDS if options.scale is Scale.BANDS else _SEVERITIES
    if options.fail_on not in (None, FailOnChange.NEVER, *map(FailOnChange, fits)):
        raise CommandError(
            f"--fail-on: {options.fail_on!s} is not of the scale {options.scale.value}; "
            f"that has {', '.join(sorted(fits))}"
        )
    if options.lock is not None and options.store is Store.HOME:
        raise CommandError("give --lock PATH or --store home, not both")


def _lock_path(source: Source, options: LockOptions) -> Path:
    """Give the place of the lockfile. Raises CommandError where it could not be written, if it is to be."""
    path = options.lock or DEFAULT_PATH
    if options.store is Store.HOME:
        sha256 = None if isinstance(source, Path) else source[0].described.command_sha256
        path = baseline_path(os.environ, Launch("", sha256))
    if not options.check:
        check_writable(path)
    return path


def _keeper(source: Source, options: LockOptions, path: Path, former: Lock | None) -> LockKeeper:
    mode = Mode.CHECK if options.check else Mode.CREATE if former is None else Mode.REFRESH
    redactor = Redactor({}) if isinstance(source, Path) else source[0].redactor
    return LockKeeper(path, mode, options.scale, redactor, options.accept, former)


def _check(
    files: ExitStack,
    source: Source,
    output: OutputOptions,
    wanted: Wanted,
    hold: Hold | None,
    keeper: LockKeeper | None = None,
    again: AgainOptions | None = None,
) -> LintCheck:
    if isinstance(source, Path):
        return saved_check(files, source, output, wanted, hold=hold, keeper=keeper)
    server, limits = source
    asked = again or AgainOptions()
    return live_check(
        files,
        server,
        limits,
        output,
        wanted,
        hold=hold,
        keeper=keeper,
        clients=asked.clients,
        repeat=asked.repeat,
    )


def _run_s(source: Source) -> float:
    return _SAVED_RUN_S if isinstance(source, Path) else source[1].run_s


def _rendering(source: Source, least: Severity, code: int) -> Rendering:
    return Rendering(
        text=text_renderer(RULES, least),
        book=rule_book("mcp_lint", RULES),
        exit_code=code,
        artifact=Location(file=source.name) if isinstance(source, Path) else None,
    )


def _lock_code(ended: Ended, keeper: LockKeeper, options: LockOptions) -> ExitCode:
    report = ended.report
    if ended.interrupted:
        return ExitCode.INTERRUPTED
    if not _compared(report) and not keeper.written:
        return ExitCode.UNUSABLE
    if keeper.mode is Mode.CHECK:
        return ExitCode.GATE if _gate_fails(report, options) else ExitCode.OK
    return ExitCode.GATE if errors(report.findings) and not keeper.accept else ExitCode.OK


def _compared(report: Report) -> bool:
    outcome = next(result.outcome for result in report.rules if result.rule == LOCK.id)
    return outcome in (Outcome.PASS, Outcome.FAIL) and not report.errors


def _gate_fails(report: Report, options: LockOptions) -> bool:
    """Tell whether a change is as bad as the gate allows none to be, by the scale that was asked for."""
    if options.fail_on is FailOnChange.NEVER:
        return False
    changes = [finding for finding in report.findings if finding.rule_id == LOCK.id]
    if options.scale is Scale.BANDS:
        band = Band(options.fail_on.value if options.fail_on else Band.HIGH)
        return any(band_of(finding).rank <= band.rank for finding in changes)
    severity = Severity(options.fail_on.value if options.fail_on else Severity.WARNING)
    return any(finding.severity.rank <= severity.rank for finding in changes)
