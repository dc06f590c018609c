"""The command line: options in, report out."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, overload

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
from mcp_fuzz.depth import Depth

if TYPE_CHECKING:
    from mcp_fuzz.engine.plan import FuzzOptions

_CALLS = "Calls"
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
    include_destructive: Annotated[
        bool,
        typer.Option(
            "--include-destructive",
            help="Also call tools that are not annotated readOnlyHint: true.",
            rich_help_panel=_CALLS,
        ),
    ] = False,
    tool: Annotated[
        list[str] | None,
        typer.Option("--tool", metavar="GLOB", help="Call these alone. Repeatable.", rich_help_panel=_CALLS),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude", metavar="GLOB", help="Leave these out. Repeatable.", rich_help_panel=_CALLS),
    ] = None,
    depth: Annotated[
        Depth, typer.Option("--depth", help="deep sends every wrong type.", rich_help_panel=_CALLS)
    ] = Depth.NORMAL,
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same cases.", rich_help_panel=_CALLS)] = 0,
    max_calls: Annotated[
        int, typer.Option("--max-calls", min=1, metavar="N", help="Calls in all.", rich_help_panel=_CALLS)
    ] = 2_000,
    full_trace: Annotated[
        Path | None,
        typer.Option(
            "--full-trace", metavar="FILE", help="Write each call as a JSON line.", rich_help_panel=_CALLS
        ),
    ] = None,
) -> int:
    """Check one server."""
    from mcp_fuzz.engine.plan import FuzzOptions

    options = FuzzOptions(
        include_destructive, tuple(tool or ()), tuple(exclude or ()), depth, seed, max_calls
    )
    return _check(ctx, target, output, gate, limits, options, full_trace)


def _check(
    ctx: typer.Context,
    target: TargetOptions,
    output: OutputOptions,
    gate: GateOptions,
    limits: LimitOptions,
    options: "FuzzOptions",
    full_trace: Path | None,
) -> int:
    from mcp_check_core.cli.execute import execute
    from mcp_check_core.cli.outputs import check_writable, emit, plan_outputs
    from mcp_check_core.cli.progress import Progress
    from mcp_check_core.cli.server import read_limits, read_server
    from mcp_check_core.report.collector import Collector
    from mcp_check_core.report.journal import Journal
    from mcp_check_core.wire.client_side import client_info
    from mcp_check_core.wire.connector import Connector
    from mcp_check_core.wire.trace import TraceWriter

    from mcp_fuzz.engine.check import FuzzCheck
    from mcp_fuzz.full_trace import FullTrace
    from mcp_fuzz.registry import RULES

    plan = plan_outputs(output)
    if full_trace is not None:
        check_writable(full_trace)
    server = read_server(ctx.obj, target, os.environ)
    bounds = read_limits(limits)
    with ExitStack() as files, _writable():
        frames = TraceWriter(output.trace, server.redactor.text) if output.trace else None
        journal = Journal(output.journal) if output.journal else None
        calls = FullTrace(full_trace, server.redactor.value) if full_trace else None
        for file in filter(None, (frames, journal, calls)):
            files.callback(file.close)
        collector = Collector(
            tool="mcp-fuzz",
            version=__version__,
            rules=RULES,
            target=server.described,
            journal=journal,
            redactor=server.redactor,
        )
        connector = Connector(
            server.target, client_info(__version__), bounds.wire, bounds.tree, listen=frames
        )
        with Progress("mcp-fuzz") as progress:
            fuzz = FuzzCheck(
                collector, connector, server.described, options, trace=calls, progress=progress.show
            )
            ended = execute(fuzz, bounds.run_s)
    emit(ended.report, plan)
    wanted = Gate(gate.fail_on or FailOn.NEVER, gate.fail_under)
    return exit_code(ended.report, wanted, interrupted=ended.interrupted)


@contextmanager
def _writable() -> Iterator[None]:
    """Say in one line which file could not be written."""
    try:
        yield
    except OSError as problem:
        raise CommandError(f"cannot write {problem.filename!r}: {problem.strerror or problem}") from None


add_shared(app, "mcp_fuzz", _Rules())


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command on `argv` (default: that of the process) and give its exit code."""
    return run(Program("mcp-fuzz", __version__, core_version, app, "check", SHARED), argv)
