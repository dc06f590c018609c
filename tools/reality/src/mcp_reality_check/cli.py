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
from mcp_reality_check._version import __version__
from mcp_reality_check.options import CallOptions

if TYPE_CHECKING:
    from mcp_check_core.model.rule import Rule

app = typer.Typer(add_completion=False)


@app.command(
    "check",
    help="Call the tools of a server with realistic input, and judge whether a success is a real answer.",
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
    from mcp_check_core.cli.outputs import emit, plan_outputs
    from mcp_check_core.cli.progress import Progress
    from mcp_check_core.cli.rendering import Rendering
    from mcp_check_core.cli.server import read_any_server, read_limits
    from mcp_check_core.cli.suppression import read_policy
    from mcp_check_core.report.rule_book import rule_book
    from mcp_reality_check.engine.build import build, hiding, open_probes, open_records
    from mcp_reality_check.engine.plan import RealityOptions
    from mcp_reality_check.registry import RULES

    plan = plan_outputs(output)
    probes = open_probes(calls.fixtures, os.environ)
    server = read_any_server(ctx.obj, target, os.environ)
    if probes is not None:
        server = hiding(server, probes.secrets)
    suppressing = read_policy(holding, RULES)
    bounds = read_limits(limits)
    wanted = RealityOptions(
        calls.include_destructive,
        tuple(calls.tool),
        tuple(calls.exclude),
        probes,
        calls.seed,
        calls.max_calls,
    )
    with ExitStack() as files, Progress("mcp-reality-check") as progress:
        records = open_records(files, server.redactor, frames=output.trace, journal=output.journal)
        hold = suppressing.policy.reason
        reality = build(server, bounds, wanted, records, hold=hold, progress=progress.show)
        ended = execute(reality, bounds.run_s, debug=ctx.obj.debug)
    limit = Gate(gate.fail_on or FailOn.NEVER, gate.fail_under)
    code = exit_code(ended.report, limit, interrupted=ended.interrupted)
    emit(ended.report, plan, using=Rendering(book=rule_book("mcp_reality_check", RULES), exit_code=code))
    suppressing.conclude(ended.report, "mcp-reality-check")
    return code


def _rules() -> "Sequence[Rule]":
    """Load the rules, which bring the wire client with them."""
    from mcp_reality_check.registry import RULES

    return RULES


add_shared(app, "mcp_reality_check", _rules)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command on `argv` (default: that of the process) and give its exit code."""
    return run(Program("mcp-reality-check", __version__, core_version, app, "check", SHARED), argv)
