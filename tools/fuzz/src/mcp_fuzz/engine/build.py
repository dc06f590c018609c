"""Put a check together from what the command line said."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.server import Limits, Server
from mcp_check_core.model.finding import Finding
from mcp_check_core.report.collector import Collector
from mcp_check_core.report.journal import Journal
from mcp_check_core.report.redact import Redactor
from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.connector import Connector
from mcp_check_core.wire.trace import TraceWriter
from mcp_fuzz._version import __version__
from mcp_fuzz.engine.check import FuzzCheck
from mcp_fuzz.engine.plan import FuzzOptions
from mcp_fuzz.full_trace import FullTrace
from mcp_fuzz.registry import RULES


@dataclass(frozen=True, slots=True)
class Records:
    """What is written while a check runs; each is None where it was not asked for."""

    frames: TraceWriter | None = None
    journal: Journal | None = None
    calls: FullTrace | None = None


def open_records(
    files: ExitStack, redactor: Redactor, *, frames: Path | None, journal: Path | None, calls: Path | None
) -> Records:
    """Open the files until `files` is left. Raises CommandError for one that cannot be written."""
    try:
        records = Records(
            TraceWriter(frames, redactor.text) if frames else None,
            Journal(journal) if journal else None,
            FullTrace(calls, redactor.value) if calls else None,
        )
    except OSError as problem:
        raise CommandError(f"cannot write {problem.filename!r}: {problem.strerror or problem}") from None
    for file in (records.frames, records.journal, records.calls):
        if file is not None:
            files.callback(file.close)
    return records


def build(
    server: Server,
    bounds: Limits,
    options: FuzzOptions,
    records: Records,
    *,
    hold: Callable[[Finding], str | None],
    progress: Callable[[str], None],
) -> FuzzCheck:
    """Make the check; nothing is started yet. `hold` says why a finding is held back, None if it is not."""
    collector = Collector(
        tool="mcp-fuzz",
        version=__version__,
        rules=RULES,
        target=server.described,
        journal=records.journal,
        redactor=server.redactor,
        hold=hold,
    )
    connector = Connector(
        server.target, client_info(__version__), bounds.wire, bounds.tree, listen=records.frames
    )
    return FuzzCheck(
        collector,
        connector,
        server.described,
        options,
        trace=records.calls,
        frames=records.frames,
        progress=progress,
    )
