"""The command `mcp-lint`."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from mcp_check_core._version import __version__ as core_version
from mcp_check_core.cli.commands import SHARED, add_shared
from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.exit_code import ExitCode
from mcp_check_core.cli.frame import EVERYWHERE, SERVER_COMMAND, Program, run
from mcp_check_core.cli.option_groups import grouped
from mcp_check_core.cli.options import GateOptions, LimitOptions, OutputOptions, TargetOptions
from mcp_check_core.cli.suppression import SuppressionOptions
from mcp_check_core.model.rule import Rule
from mcp_lint._version import __version__
from mcp_lint.options import LintOptions, LockOptions

app = typer.Typer(add_completion=False)


def _rules() -> Sequence[Rule]:
    """Load the rules, which bring the wire client with them."""
    from mcp_lint.registry import RULES

    return RULES


@app.command(
    "run",
    help="Start an MCP server, read its definitions, call nothing, and say what makes its tools hard, costly "
    "or unsafe for an agent.",
    epilog=EVERYWHERE,
    options_metavar=SERVER_COMMAND,
)
@grouped
def lint_server(
    ctx: typer.Context,
    target: TargetOptions,
    asked: LintOptions,
    output: OutputOptions,
    gate: GateOptions,
    limits: LimitOptions,
    suppression: SuppressionOptions,
) -> int:
    """Check a live server."""
    from mcp_check_core.cli.server import read_limits, read_server
    from mcp_lint.commands import lint

    source = read_server(ctx.obj, target, os.environ), read_limits(limits)
    return lint(source, asked, output, gate, suppression, debug=ctx.obj.debug)


@app.command(
    "check",
    help="The same for a saved result of tools/list; nothing is started.",
    epilog=EVERYWHERE,
    options_metavar="[OPTIONS]",
)
@grouped
def lint_saved(
    ctx: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="JSON: an array of tools, or an object with it.")
    ],
    asked: LintOptions,
    output: OutputOptions,
    gate: GateOptions,
    suppression: SuppressionOptions,
) -> int:
    """Check a saved list."""
    from mcp_lint.commands import lint

    if ctx.obj.command is not None:
        raise CommandError("check reads a file and starts no server; for a command: mcp-lint run -- COMMAND")
    return lint(file, asked, output, gate, suppression, debug=ctx.obj.debug)


@app.command(
    "lock",
    help="Pin the definitions of a server in a lockfile; with --check say what changed since. A change that "
    "a model reads is an error, and is written over with --accept alone.",
    epilog=EVERYWHERE,
    options_metavar=SERVER_COMMAND,
)
@grouped
def lock_server(
    ctx: typer.Context,
    target: TargetOptions,
    asked: LockOptions,
    output: OutputOptions,
    limits: LimitOptions,
    suppression: SuppressionOptions,
) -> int:
    """Write, refresh or check a lockfile."""
    from mcp_check_core.cli.server import read_limits, read_server
    from mcp_lint.commands import RefusedError, lock

    if asked.from_file is not None and (ctx.obj.command is not None or target.url):
        raise CommandError("give --from FILE or a server, not both")
    source = asked.from_file or (read_server(ctx.obj, target, os.environ), read_limits(limits))
    try:
        return lock(source, asked, output, suppression, debug=ctx.obj.debug)
    except RefusedError as refused:
        sys.stderr.write(f"mcp-lint: {refused}\n")
        return ExitCode.GATE


add_shared(app, "mcp_lint", _rules)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command on `argv` (default: that of the process) and give its exit code."""
    return run(Program("mcp-lint", __version__, core_version, app, "run", ("check", "lock", *SHARED)), argv)
