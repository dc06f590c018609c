"""Put a check together from what the command line said."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.values import duration, size
from mcp_check_core.model.finding import Finding
from mcp_check_core.process.launch import TreeLimits
from mcp_check_core.report.collector import Collector
from mcp_check_core.report.journal import Journal
from mcp_check_core.report.redact import Redactor
from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.connector import Connector
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.trace import TraceWriter
from mcp_stdio_guard._version import __version__
from mcp_stdio_guard.contract.setting import Setting
from mcp_stdio_guard.engine.guard import Guard
from mcp_stdio_guard.options import GuardLimitOptions
from mcp_stdio_guard.rule_list import declared_rules

_KEPT_FRAMES = 10_000
"""Lines of one run that are judged, and as many faulty ones."""


def build(
    setting: Setting,
    wire: WireLimits,
    tree: TreeLimits,
    *,
    listen: TraceWriter | None = None,
    journal: Journal | None = None,
    hold: Callable[[Finding], str | None] | None = None,
) -> Guard:
    """Make the check; nothing is started yet. `hold` says why a finding is held back, None if it is not."""
    collector = Collector(
        tool="mcp-stdio-guard",
        version=__version__,
        rules=declared_rules(),
        target=setting.server.described,
        journal=journal,
        redactor=setting.server.redactor,
        hold=hold,
    )
    connector = Connector(
        setting.server.target, client_info(__version__), limits=wire, tree=tree, listen=listen
    )
    return Guard(connector, setting.plan, collector, setting, trace=listen)


def read_limits(options: GuardLimitOptions) -> tuple[WireLimits, TreeLimits]:
    """Read the limits for the wire and for the process tree. Raises CommandError."""
    wire = WireLimits(
        startup_s=duration(options.startup_timeout, "--startup-timeout", bare_unit="ms"),
        request_s=duration(options.timeout, "--timeout", bare_unit="ms"),
        line_bytes=size(options.max_stdout_line_bytes, "--max-stdout-line-bytes"),
        stdout_bytes=size(options.max_stdout_bytes, "--max-stdout-bytes"),
        stderr_bytes=size(options.max_stderr_bytes, "--max-stderr-bytes"),
        kept_frames=_KEPT_FRAMES,
    )
    tree = TreeLimits(max_rss=size(options.max_memory, "--max-memory"), max_processes=options.max_processes)
    return wire, tree


def open_trace(files: ExitStack, path: Path | None, redactor: Redactor) -> TraceWriter | None:
    """Open the trace, if one is wanted, until `files` is left. Raises CommandError."""
    if path is None:
        return None
    try:
        trace = TraceWriter(path, redactor.text)
    except OSError as problem:
        raise CommandError(f"--trace: cannot write {str(path)!r}: {problem.strerror}") from None
    files.callback(trace.close)
    return trace


def open_journal(files: ExitStack, path: Path | None) -> Journal | None:
    """Open the journal, if one is wanted, until `files` is left. Raises CommandError."""
    if path is None:
        return None
    try:
        journal = Journal(path)
    except OSError as problem:
        raise CommandError(f"--journal: cannot write {str(path)!r}: {problem.strerror}") from None
    files.callback(journal.close)
    return journal
