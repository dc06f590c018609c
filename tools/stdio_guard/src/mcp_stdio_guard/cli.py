"""The command `mcp-stdio-guard`."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from mcp_check_core._version import __version__ as core_version
from mcp_check_core.cli.commands import SHARED, add_shared
from mcp_check_core.cli.frame import EVERYWHERE, SERVER_COMMAND, Invocation, Program, run
from mcp_check_core.cli.option_groups import grouped
from mcp_check_core.cli.options import Format, GateOptions, OutputOptions, TargetOptions
from mcp_check_core.cli.suppression import SuppressionOptions
from mcp_stdio_guard._version import __version__
from mcp_stdio_guard.options import CheckOptions, GuardLimitOptions, read_requests

if TYPE_CHECKING:
    from mcp_check_core.cli.outputs import OutputPlan
    from mcp_check_core.model.report import Report
    from mcp_check_core.model.rule import Rule

app = typer.Typer(add_completion=False)


@app.command(
    "check",
    help="Start an MCP server, make the handshake, watch every byte of its stdout until it ends, ask "
    "for what it advertises, and say whether the wire is clean. No tool is called unless --request says so.",
    epilog=EVERYWHERE,
    options_metavar=SERVER_COMMAND,
)
@grouped
def check(
    ctx: typer.Context,
    asked: CheckOptions,
    target: TargetOptions,
    output: OutputOptions,
    gate: GateOptions,
    limits: GuardLimitOptions,
    holding: SuppressionOptions,
) -> int:
    """Check a server and give the exit code."""
    from contextlib import ExitStack
    from dataclasses import replace

    from mcp_check_core.cli.execute import execute
    from mcp_check_core.cli.exit_code import FailOn, Gate, exit_code
    from mcp_check_core.cli.outputs import plan_outputs
    from mcp_check_core.cli.server import read_server
    from mcp_check_core.cli.suppression import read_policy
    from mcp_check_core.cli.values import duration
    from mcp_check_core.process.environment import inherited_names
    from mcp_stdio_guard.contract.setting import Setting
    from mcp_stdio_guard.engine.build import build, open_journal, open_trace, read_limits
    from mcp_stdio_guard.plan import DEFAULTS, make_plan
    from mcp_stdio_guard.rule_list import declared_rules

    invocation: Invocation = ctx.obj
    plan = make_plan(asked.profile, asked.repeat, read_requests(asked))
    outputs = plan_outputs(output)
    chosen = ctx.get_parameter_source("format")
    if DEFAULTS[asked.profile].json and (chosen is None or chosen.name == "DEFAULT"):
        outputs = replace(outputs, stdout=Format.JSON)
    server = read_server(invocation, target, os.environ, must_exist=False)
    suppressing = read_policy(holding, declared_rules())
    wire, tree = read_limits(limits)
    run_s = duration(limits.run_timeout, "--run-timeout")
    setting = Setting(server, plan, round(1000 * wire.request_s), inherited_names())
    with ExitStack() as files:
        listen = open_trace(files, output.trace, server.redactor)
        journal = open_journal(files, output.journal)
        hold = suppressing.policy.reason
        guard = build(setting, wire, tree, listen=listen, journal=journal, hold=hold)
        ended = execute(guard, run_s, debug=invocation.debug)
    limit = Gate(gate.fail_on or FailOn.ERROR, gate.fail_under)
    code = exit_code(ended.report, limit, interrupted=ended.interrupted)
    _emit(ended.report, outputs, code)
    suppressing.conclude(ended.report, "mcp-stdio-guard")
    return code


def _emit(report: "Report", outputs: "OutputPlan", code: int) -> None:
    """Write the report; what shows it is loaded only now, when the server has ended."""
    from mcp_check_core.cli.outputs import emit
    from mcp_check_core.cli.rendering import Rendering
    from mcp_check_core.report.rule_book import rule_book
    from mcp_stdio_guard.render.text import render
    from mcp_stdio_guard.rule_list import declared_rules

    book = rule_book("mcp_stdio_guard", declared_rules())
    emit(report, outputs, render, Rendering(book=book, exit_code=code))


def _rules() -> "Sequence[Rule]":
    """Read the rules, which cost start-up time."""
    from mcp_stdio_guard.rule_list import declared_rules

    return declared_rules()


add_shared(app, "mcp_stdio_guard", _rules)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command on `argv` (default: that of the process)."""
    return run(Program("mcp-stdio-guard", __version__, core_version, app, "check", SHARED), argv)
