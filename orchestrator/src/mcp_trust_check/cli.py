"""The command `mcp-trust-check`."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from mcp_check_core._version import __version__ as core_version
from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.exit_code import FailOn
from mcp_check_core.cli.frame import EVERYWHERE, SERVER_COMMAND, Program, run
from mcp_check_core.cli.option_groups import grouped
from mcp_check_core.cli.options import TargetOptions
from mcp_check_core.cli.suppression import SuppressionOptions
from mcp_trust_check._version import __version__
from mcp_trust_check.options import BoundOptions, ReportOptions, SourceOptions, ToolOptions

app = typer.Typer(add_completion=False)


@app.command(
    "check",
    help="Check one MCP server: one decision, one score, one confidence, each with its reasons.",
    epilog=EVERYWHERE,
    options_metavar=SERVER_COMMAND,
)
@grouped
def check_server(
    ctx: typer.Context,
    target: TargetOptions,
    source: SourceOptions,
    tools: ToolOptions,
    report: ReportOptions,
    bounds: BoundOptions,
    holding: SuppressionOptions,
) -> int:
    """Run the check; the imports wait so that `--help` does not pay for them."""
    from mcp_trust_check.check import check
    from mcp_trust_check.gate import Gate
    from mcp_trust_check.outputs import emit, plan_reports
    from mcp_trust_check.progress import Progress
    from mcp_trust_check.settings import read_settings

    settings = read_settings(ctx.obj, target, source, tools, bounds, holding, os.environ)
    plan = plan_reports(report)
    checked = check(settings, Gate(report.fail_on, report.fail_under), os.environ, Progress())
    emit(checked.document, checked.printed, plan, report.reports_dir)
    settings.suppressing.conclude(checked.account, "mcp-trust-check")
    return checked.exit_code


@app.command("diff", help="Say what is new, resolved and changed from one JSON report to a later one.")
def show_difference(
    ctx: typer.Context,
    before: Annotated[Path, typer.Argument(help="The earlier report, merged or of one tool.")],
    after: Annotated[Path, typer.Argument(help="The later report, of the same command.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the difference as JSON.")] = False,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="Exit 1 on a new or worse finding of this severity or worse.")
    ] = FailOn.NEVER,
) -> int:
    """Compare two reports."""
    from mcp_trust_check.compare import compare

    if ctx.obj.command is not None:
        raise CommandError("diff compares two files and starts no server; leave the words after -- out")
    return compare(before, after, as_json=as_json, fail_on=fail_on)


@app.command("explain", help="Print the page of a rule of any tool.")
def explain_rule(
    rule: Annotated[str, typer.Argument(help="Its id, such as fuzz/crash, or the part behind the slash.")],
) -> int:
    """Print the page of a rule."""
    from mcp_check_core.cli.stdout import write_stdout
    from mcp_trust_check.pages import explained

    write_stdout(explained(rule).encode())
    return 0


@app.command("schema", help="Print the JSON Schema of the merged report, or that of one tool.")
def print_schema(
    tool: Annotated[str | None, typer.Argument(help="A tool, such as fuzz or mcp-fuzz.")] = None,
) -> int:
    """Print a schema."""
    from mcp_check_core.cli.stdout import write_stdout
    from mcp_trust_check.pages import schema_text

    write_stdout(schema_text(tool).encode())
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    program = Program(
        "mcp-trust-check", __version__, core_version, app, "check", ("diff", "explain", "schema")
    )
    return run(program, argv)
