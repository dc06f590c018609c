"""The command `mcp-lint`."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from mcp_lint.options import AgainOptions, FailOnChange, LintOptions, LockOptions, Scale, Store

if TYPE_CHECKING:
    from mcp_check_core.cli.server import Limits, Server

SUBCOMMANDS = ("check", "lock", "snapshot", "diff", "compare", *SHARED)
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
    again: AgainOptions,
    output: OutputOptions,
    gate: GateOptions,
    limits: LimitOptions,
    suppression: SuppressionOptions,
) -> int:
    """Check a live server."""
    from mcp_check_core.cli.server import read_limits, read_server
    from mcp_lint.commands import lint

    source = read_server(ctx.obj, target, os.environ), read_limits(limits)
    return lint(source, asked, output, gate, suppression, again=again, debug=ctx.obj.debug)


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
    return _lock(ctx, target, asked, output, limits, suppression)


@app.command(
    "snapshot",
    help="Short for lock --store home: pin a server that is not yours.",
    epilog=EVERYWHERE,
    options_metavar=SERVER_COMMAND,
)
@grouped
def snapshot(
    ctx: typer.Context,
    target: TargetOptions,
    output: OutputOptions,
    limits: LimitOptions,
    accept: Annotated[bool, typer.Option("--accept", help="Write over changes at error level.")] = False,
) -> int:
    """Pin a server in the user's data folder."""
    asked = LockOptions(accept=accept, store=Store.HOME)
    return _lock(ctx, target, asked, output, limits, SuppressionOptions(no_config=True))


@app.command(
    "diff",
    help="Short for lock --check --store home: say what changed since the snapshot.",
    epilog=EVERYWHERE,
    options_metavar=SERVER_COMMAND,
)
@grouped
def diff(
    ctx: typer.Context,
    target: TargetOptions,
    output: OutputOptions,
    limits: LimitOptions,
    scale: Annotated[Scale, typer.Option("--scale", help="By which scale changes are weighed.")] = Scale.LINT,
    fail_on: Annotated[FailOnChange | None, typer.Option("--fail-on", help="As of lock --check.")] = None,
) -> int:
    """Compare with a snapshot."""
    asked = LockOptions(check=True, store=Store.HOME, scale=scale, fail_on=fail_on)
    return _lock(ctx, target, asked, output, limits, SuppressionOptions(no_config=True))


@app.command(
    "compare",
    help="Show the pairs of tools that an agent could take for one another, with the numbers.",
    epilog=EVERYWHERE,
    options_metavar=SERVER_COMMAND,
)
@grouped
def compare_tools(
    ctx: typer.Context,
    target: TargetOptions,
    output: OutputOptions,
    limits: LimitOptions,
    from_file: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="A saved list in the place of a server.")
    ] = None,
) -> int:
    """Show pairs of tools."""
    from mcp_lint.commands import compare

    return compare(_source(ctx, target, limits, from_file), output, debug=ctx.obj.debug)


def _lock(
    ctx: typer.Context,
    target: TargetOptions,
    asked: LockOptions,
    output: OutputOptions,
    limits: LimitOptions,
    suppression: SuppressionOptions,
) -> int:
    from mcp_lint.commands import RefusedError, lock

    source = _source(ctx, target, limits, asked.from_file)
    try:
        return lock(source, asked, output, suppression, debug=ctx.obj.debug)
    except RefusedError as refused:
        sys.stderr.write(f"mcp-lint: {refused}\n")
        return ExitCode.GATE


def _source(
    ctx: typer.Context, target: TargetOptions, limits: LimitOptions, saved: Path | None
) -> "tuple[Server, Limits] | Path":
    from mcp_check_core.cli.server import read_limits, read_server

    if saved is None:
        return read_server(ctx.obj, target, os.environ), read_limits(limits)
    if ctx.obj.command is not None or target.url:
        raise CommandError("give --from FILE or a server, not both")
    return saved


add_shared(app, "mcp_lint", _rules)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command on `argv` (default: that of the process) and give its exit code."""
    return run(Program("mcp-lint", __version__, core_version, app, "run", SUBCOMMANDS), argv)
