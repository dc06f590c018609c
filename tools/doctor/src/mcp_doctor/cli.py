"""The command `mcp-doctor`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcp_check_core._version import __version__ as core_version
from mcp_check_core.cli.commands import SHARED, add_shared
from mcp_check_core.cli.frame import EVERYWHERE, Invocation, Program, run
from mcp_check_core.cli.option_groups import grouped
from mcp_check_core.cli.options import GateOptions, OutputOptions
from mcp_check_core.cli.suppression import SuppressionOptions
from mcp_doctor._version import __version__
from mcp_doctor.options import BreakageOptions, ReadOptions

if TYPE_CHECKING:
    from mcp_check_core.model.rule import Rule

app = typer.Typer(add_completion=False)


def _rules() -> "Sequence[Rule]":
    from mcp_doctor.registry import RULES

    return RULES


add_shared(app, "mcp_doctor", _rules)


@app.command(
    "check",
    help="Read the source of an MCP server, without running it: find its tools, and say with file and line "
    "what will break an agent and what is not documented.",
    epilog=EVERYWHERE,
)
@grouped
def check(
    ctx: typer.Context,
    output: OutputOptions,
    gate: GateOptions,
    own_gate: BreakageOptions,
    suppressions: SuppressionOptions,
    limits: ReadOptions,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH", help="Folders and files; this folder if none."),
    ] = None,
) -> int:
    """Check a source tree and give the exit code."""
    from contextlib import ExitStack

    from mcp_check_core.cli.errors import CommandError
    from mcp_check_core.cli.execute import execute
    from mcp_check_core.cli.exit_code import ExitCode, FailOn, Gate, exit_code
    from mcp_check_core.cli.outputs import emit, plan_outputs
    from mcp_check_core.cli.rendering import Rendering
    from mcp_check_core.cli.suppression import read_policy
    from mcp_check_core.cli.values import duration
    from mcp_check_core.report.rule_book import rule_book
    from mcp_doctor.engine.build import build, open_journal, read_limits
    from mcp_doctor.registry import RULES
    from mcp_doctor.render.text import render

    invocation: Invocation = ctx.obj
    if invocation.command is not None:
        raise CommandError("mcp-doctor reads source and starts no server; give a path in place of -- COMMAND")
    if output.trace is not None:
        raise CommandError("--trace: no server is started, so that there are no frames to record")
    outputs = plan_outputs(output)
    suppressing = read_policy(suppressions, RULES)
    bounds = read_limits(limits)
    run_s = duration(limits.run_timeout, "--run-timeout")
    with ExitStack() as files:
        journal = open_journal(files, output.journal)
        doctor = build(paths or [Path()], bounds, journal=journal, hold=suppressing.policy.reason)
        ended = execute(doctor, run_s, debug=invocation.debug)
    report = ended.report
    code = exit_code(
        report, Gate(gate.fail_on or FailOn.NEVER, gate.fail_under), interrupted=ended.interrupted
    )
    if own_gate.fail_on_breakages and report.details.get("breakageCount") and not ended.interrupted:
        code = ExitCode.GATE
    emit(report, outputs, render, Rendering(book=rule_book("mcp_doctor", RULES), exit_code=code))
    suppressing.conclude(report, "mcp-doctor")
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command on `argv` (default: that of the process)."""
    return run(Program("mcp-doctor", __version__, core_version, app, "check", SHARED), argv)
