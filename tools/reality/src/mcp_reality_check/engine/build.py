"""Put a check together from what the command line said."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.fixtures import fixtures_file
from mcp_check_core.cli.remote import HttpServer
from mcp_check_core.cli.server import Limits, Server, describe
from mcp_check_core.model.finding import Finding
from mcp_check_core.report.collector import Collector
from mcp_check_core.report.journal import Journal
from mcp_check_core.report.redact import Redactor, url_secrets
from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.http_connector import make_connector
from mcp_check_core.wire.target import StdioTarget
from mcp_check_core.wire.trace import TraceWriter
from mcp_reality_check._version import __version__
from mcp_reality_check.engine.check import Place, RealityCheck
from mcp_reality_check.engine.plan import RealityOptions
from mcp_reality_check.inputs.probes import ProbeBook, probe_book
from mcp_reality_check.registry import RULES


@dataclass(frozen=True, slots=True)
class Records:
    """What is written while a check runs; each is None where it was not asked for."""

    frames: TraceWriter | None = None
    journal: Journal | None = None


def open_records(
    files: ExitStack, redactor: Redactor, *, frames: Path | None, journal: Path | None
) -> Records:
    """Open the files until `files` is left. Raises CommandError for one that cannot be written."""
    try:
        records = Records(
            TraceWriter(frames, redactor.text) if frames else None,
            Journal(journal) if journal else None,
        )
    except OSError as problem:
        raise CommandError(f"cannot write {problem.filename!r}: {problem.strerror or problem}") from None
    for file in (records.frames, records.journal):
        if file is not None:
            files.callback(file.close)
    return records


def build(
    server: Server | HttpServer,
    bounds: Limits,
    options: RealityOptions,
    records: Records,
    *,
    hold: Callable[[Finding], str | None],
    progress: Callable[[str], None],
) -> RealityCheck:
    """Make the check; nothing is started yet. `hold` says why a finding is held back, None if it is not."""
    collector = Collector(
        tool="mcp-reality-check",
        version=__version__,
        rules=RULES,
        target=server.described,
        journal=records.journal,
        redactor=server.redactor,
        hold=hold,
    )
    opener = make_connector(
        server.target, client_info(__version__), bounds.wire, bounds.tree, listen=records.frames
    )
    target = server.target
    place = Place(target.argv, target.cwd or Path.cwd()) if isinstance(target, StdioTarget) else None
    return RealityCheck(
        collector, opener, server.described, options, place=place, frames=records.frames, progress=progress
    )


def hiding(server: Server | HttpServer, secrets: Mapping[str, str]) -> Server | HttpServer:
    """Hide further values in all output, beside those that the server is reached with."""
    if not secrets:
        return server
    if isinstance(server, Server):
        passed = {name: server.target.env[name] for name in server.target.passed}
        return describe(server.target, {**passed, **secrets})
    known = {**server.target.headers, **url_secrets(server.target.url)}
    return replace(server, redactor=Redactor({**known, **secrets}))


def open_probes(path: Path | None, environ: Mapping[str, str]) -> ProbeBook | None:
    """Read the file of probes, None without one. Raises CommandError for one that cannot be used."""
    if path is None:
        return None
    book = fixtures_file(path, environ, "--fixtures")
    ready = [(one.probe, one.arguments) for one in book.ready]
    return probe_book([*ready, *((probe, {}) for probe in book.skipped)], book.secrets)
