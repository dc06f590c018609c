"""The command line: options in, report out."""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, overload

import typer

from mcp_check_core._version import __version__ as core_version
from mcp_check_core.cli.commands import SHARED, add_shared
from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.exit_code import FailOn, Gate, exit_code
from mcp_check_core.cli.frame import EVERYWHERE, SERVER_COMMAND, Program, run
from mcp_check_core.cli.option_groups import grouped
from mcp_check_core.cli.options import GateOptions, LimitOptions, OutputOptions, TargetOptions
from mcp_check_core.model.rule import Rule
from mcp_fuzz._version import __version__
from mcp_fuzz.options import CallOptions

if TYPE_CHECKING:
    from mcp_check_core.cli.server import Limits, Server
    from mcp_check_core.report.collector import Collector
    from mcp_check_core.wire.connector import Connector
    from mcp_fuzz.full_trace import FullTrace

app = typer.Typer(add_completion=False)


class _Rules(Sequence[Rule]):
    """The rules of this tool, loaded when they are asked for: they bring the wire client with them."""

    @overload
    def __getitem__(self, index: int) -> Rule: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Rule]: ...
    def __getitem__(self, index: int | slice) -> Rule | Sequence[Rule]:
        return self._rules()[index]

    def __len__(self) -> int:
        return len(self._rules())

    def _rules(self) -> tuple[Rule, ...]:
        from mcp_fuzz.registry import RULES

        return RULES


@app.command(
    "check",
    help="Start a server, call its tools with inputs made from their schemas, and judge how it fails.",
    epilog=EVERYWHERE,
    options_metavar=SERVER_COMMAND,
)
@grouped
def check(
    ctx: typer.Context,
    target: TargetOptions,
    output: OutputOptions,
    gate: GateOptions,
    limits: LimitOptions,
    calls: CallOptions,
) -> int:
    """Check one server."""
    from mcp_check_core.cli.execute import execute
    from mcp_check_core.cli.outputs import check_writable, emit, plan_outputs
    from mcp_check_core.cli.progress import Progress
    from mcp_check_core.cli.server import read_limits, read_server
    from mcp_fuzz.engine.check import FuzzCheck
    from mcp_fuzz.engine.plan import FuzzOptions

    plan = plan_outputs(output)
    if calls.full_trace is not None:
        check_writable(calls.full_trace)
    server = read_server(ctx.obj, target, os.environ)
    bounds = read_limits(limits)
    wanted = FuzzOptions(
        calls.include_destructive,
        tuple(calls.tool),
        tuple(calls.exclude),
        calls.depth,
        calls.seed,
        calls.max_calls,
    )
    with ExitStack() as files, Progress("mcp-fuzz") as progress:
        connector, collector, trace = _open(files, server, bounds, output, calls.full_trace)
        fuzz = FuzzCheck(collector, connector, server.described, wanted, trace=trace, progress=progress.show)
        ended = execute(fuzz, bounds.run_s)
    emit(ended.report, plan)
    limit = Gate(gate.fail_on or FailOn.NEVER, gate.fail_under)
    return exit_code(ended.report, limit, interrupted=ended.interrupted)


def _open(
    files: ExitStack, server: "Server", bounds: "Limits", output: OutputOptions, full_trace: Path | None
) -> "tuple[Connector, Collector, FullTrace | None]":
    """Open the files that are written while the check runs. Raises CommandError for one that cannot be."""
    from mcp_check_core.report.collector import Collector
    from mcp_check_core.report.journal import Journal
    from mcp_check_core.wire.client_side import client_info
    from mcp_check_core.wire.connector import Connector
    from mcp_check_core.wire.trace import TraceWriter
    from mcp_fuzz.full_trace import FullTrace
    from mcp_fuzz.registry import RULES

    try:
        frames = TraceWriter(output.trace, server.redactor.text) if output.trace else None
        journal = Journal(output.journal) if output.journal else None
        trace = FullTrace(full_trace, server.redactor.value) if full_trace else None
    except OSError as problem:
        raise CommandError(f"cannot write {problem.filename!r}: {problem.strerror or problem}") from None
    for file in (frames, journal, trace):
        if file is not None:
            files.callback(file.close)
    collector = Collector(
        tool="mcp-fuzz",
        version=__version__,
        rules=RULES,
        target=server.described,
        journal=journal,
        redactor=server.redactor,
    )
    connector = Connector(server.target, client_info(__version__), bounds.wire, bounds.tree, listen=frames)
    return connector, collector, trace


add_shared(app, "mcp_fuzz", _Rules())


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command on `argv` (default: that of the process) and give its exit code."""
    return run(Program("mcp-fuzz", __version__, core_version, app, "check", SHARED), argv)
