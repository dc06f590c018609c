"""The command line: options in, report out."""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

import typer

from mcp_check_core._version import __version__ as core_version
from mcp_check_core.cli.commands import SHARED, add_shared
from mcp_check_core.cli.exit_code import FailOn, Gate, exit_code
from mcp_check_core.cli.frame import EVERYWHERE, SERVER_COMMAND, Program, run
from mcp_check_core.cli.option_groups import grouped
from mcp_check_core.cli.options import GateOptions, LimitOptions, OutputOptions, TargetOptions
from mcp_check_core.cli.suppression import SuppressionOptions
from mcp_fuzz._version import __version__
from mcp_fuzz.options import CallOptions

if TYPE_CHECKING:
    from mcp_check_core.model.rule import Rule

app = typer.Typer(add_completion=False)


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
    holding: SuppressionOptions,
) -> int:
    """Check one server."""
    from mcp_check_core.cli.execute import execute
    from mcp_check_core.cli.outputs import check_writable, emit, plan_outputs
    from mcp_check_core.cli.progress import Progress
    from mcp_check_core.cli.rendering import Rendering
    from mcp_check_core.cli.server import read_limits, read_server
    from mcp_check_core.cli.suppression import read_policy
    from mcp_check_core.report.rule_book import rule_book
    from mcp_fuzz.engine.build import build, open_records
    from mcp_fuzz.engine.plan import FuzzOptions
    from mcp_fuzz.registry import RULES

    plan = plan_outputs(output)
    if calls.full_trace is not None:
        check_writable(calls.full_trace)
    server = read_server(ctx.obj, target, os.environ)
    suppressing = read_policy(holding, RULES)
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
        records = open_records(
            files, server.redactor, frames=output.trace, journal=output.journal, calls=calls.full_trace
        )
        hold = suppressing.policy.reason
        fuzz = build(server, bounds, wanted, records, hold=hold, progress=progress.show)
        ended = execute(fuzz, bounds.run_s, debug=ctx.obj.debug)
    limit = Gate(gate.fail_on or FailOn.NEVER, gate.fail_under)
    code = exit_code(ended.report, limit, interrupted=ended.interrupted)
    emit(ended.report, plan, using=Rendering(book=rule_book("mcp_fuzz", RULES), exit_code=code))
    suppressing.conclude(ended.report, "mcp-fuzz")
    return code


def _rules() -> "Sequence[Rule]":
    """Load the rules, which bring the wire client with them."""
    from mcp_fuzz.registry import RULES

    return RULES


add_shared(app, "mcp_fuzz", _rules)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command on `argv` (default: that of the process) and give its exit code."""
    return run(Program("mcp-fuzz", __version__, core_version, app, "check", SHARED), argv)
