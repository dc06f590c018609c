"""Put a run together from what the command line said."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.options import OutputOptions
from mcp_check_core.cli.server import Limits, Server
from mcp_check_core.model.finding import Finding
from mcp_check_core.model.report import Target, TargetKind
from mcp_check_core.report.collector import Collector
from mcp_check_core.report.journal import Journal
from mcp_check_core.report.redact import Redactor
from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.connector import Connector
from mcp_check_core.wire.trace import TraceWriter
from mcp_lint._version import __version__
from mcp_lint.engine.again import Again, Read
from mcp_lint.engine.check import LintCheck, Live, Wanted
from mcp_lint.engine.gather import Gathered, gather
from mcp_lint.engine.keeper import LockKeeper
from mcp_lint.engine.saved import read_saved
from mcp_lint.facts.clients import identities
from mcp_lint.registry import LOCK_CLIENTS, LOCK_REPEAT, RULES

Hold = Callable[[Finding], str | None]
File = TypeVar("File", TraceWriter, Journal)


def live_check(
    files: ExitStack,
    server: Server,
    limits: Limits,
    output: OutputOptions,
    wanted: Wanted,
    *,
    hold: Hold | None = None,
    keeper: LockKeeper | None = None,
    clients: bool = False,
    repeat: int = 1,
) -> LintCheck:
    """Make the check of a server; nothing is started yet. Raises CommandError for a file it cannot write."""
    trace = _opened(files, lambda path: TraceWriter(path, server.redactor.text), output.trace, "--trace")
    client = client_info(__version__)
    connector = Connector(server.target, client, limits=limits.wire, tree=limits.tree, listen=trace)
    target = replace(server.described, command=None)
    collector = _collector(files, target, output, server.redactor, hold)

    def reading(name: str | None = None) -> Read:
        async def read() -> Gathered:
            connector.client = client_info(__version__, name) if name else client
            return await gather(connector)

        return read

    starts = tuple((LOCK_REPEAT, f"start {number}", reading()) for number in range(2, repeat + 1))
    others = tuple((LOCK_CLIENTS, name, reading(name)) for name in identities() if clients)
    return LintCheck(
        collector,
        target,
        reading(),
        wanted,
        live=Live(connector, server.target.argv, trace),
        held=_held(hold),
        keeper=keeper,
        again=Again((*starts, *others)),
    )


def saved_check(
    files: ExitStack,
    path: Path,
    output: OutputOptions,
    wanted: Wanted,
    *,
    hold: Hold | None = None,
    keeper: LockKeeper | None = None,
) -> LintCheck:
    """Make the check of a saved list. Raises CommandError for a file that cannot be read or written."""
    if output.trace is not None:
        raise CommandError("--trace: a saved list has no frames to record")
    definitions = read_saved(path)
    target = Target(TargetKind.FILE)

    async def read() -> Gathered:
        return Gathered(definitions, era=None, declares_tools=True)

    return LintCheck(
        _collector(files, target, output, Redactor({}), hold),
        target,
        read,
        wanted,
        file=path.name,
        held=_held(hold),
        keeper=keeper,
    )


def _collector(
    files: ExitStack, target: Target, output: OutputOptions, redactor: Redactor, hold: Hold | None
) -> Collector:
    journal = _opened(files, Journal, output.journal, "--journal")
    return Collector(
        tool="mcp-lint",
        version=__version__,
        rules=RULES,
        target=target,
        journal=journal,
        redactor=redactor,
        hold=hold,
    )


def _held(hold: Hold | None) -> Callable[[Finding], bool]:
    return lambda finding: hold is not None and hold(finding) is not None


def _opened(files: ExitStack, make: Callable[[Path], File], path: Path | None, option: str) -> File | None:
    """Open a file that is written while the check runs, until `files` is left."""
    if path is None:
        return None
    try:
        file = make(path)
    except OSError as problem:
        raise CommandError(f"{option}: cannot write {str(path)!r}: {problem.strerror}") from None
    files.callback(file.close)
    return file
