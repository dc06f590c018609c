"""A command made of the frame, whose check does what the first word of the server's command says."""

import os
import sys
from collections.abc import Sequence

import typer

from mcp_check_core.cli.commands import SHARED, add_shared
from mcp_check_core.cli.exit_code import FailOn, Gate, exit_code
from mcp_check_core.cli.frame import EVERYWHERE, SERVER_COMMAND, Program, run
from mcp_check_core.cli.option_groups import grouped
from mcp_check_core.cli.options import GateOptions, LimitOptions, OutputOptions, TargetOptions
from mcp_check_core.model.finding import Category, Severity
from mcp_check_core.model.report import Coverage, Report, Score
from mcp_check_core.model.rule import Rule

app = typer.Typer(add_completion=False)
RULES = (
    Rule("toy/seen", "Something was seen", Severity.WARNING, Category.RELIABILITY),
    Rule("toy/last", "The last rule", Severity.ERROR, Category.RELIABILITY),
)


@app.command("check", help="Check a toy.", epilog=EVERYWHERE, options_metavar=SERVER_COMMAND)
@grouped
def check(
    ctx: typer.Context, target: TargetOptions, output: OutputOptions, gate: GateOptions, limits: LimitOptions
) -> int:
    """Run a toy check."""
    from mcp_check_core.cli.execute import execute
    from mcp_check_core.cli.outputs import emit, plan_outputs
    from mcp_check_core.cli.server import read_limits, read_server
    from mcp_check_core.report.collector import Collector
    from tools.core.tests.cli.toy_check import ToyCheck

    plan = plan_outputs(output)
    server = read_server(ctx.obj, target, os.environ, must_exist=False)
    bounds = read_limits(limits)
    collector = Collector(
        tool="toy", version="1.0.0", rules=RULES, target=server.described, redactor=server.redactor
    )
    ended = execute(ToyCheck(collector, server.target), bounds.run_s, debug=ctx.obj.debug)
    emit(ended.report, plan, lambda report, _width, colour: f"{_text(report)} colour={colour}\n")
    wanted = Gate(gate.fail_on or FailOn.NEVER, gate.fail_under)
    return exit_code(ended.report, wanted, interrupted=ended.interrupted)


def _text(report: Report) -> str:
    return f"{report.status} {[error.message for error in report.errors]} {'x' * 200_000}"


def finished(check: object, interrupted: str | None) -> Report:
    """Make the report of a toy check."""
    from tools.core.tests.cli.toy_check import ToyCheck

    assert isinstance(check, ToyCheck)
    score = Score(80.0, "a toy")
    return check.collector.finish(score=score, coverage=Coverage(), details={}, interrupted=interrupted)


@app.command("crash", help="Raise.")
def crash() -> int:
    """Raise an exception that quotes what a server said."""
    raise ValueError("bad\nvalue \x1b[31m hunter2-hunter2")


@app.command("speak", help="Print much.")
def speak() -> int:
    """Print more than a pipe holds."""
    from mcp_check_core.cli.stdout import write_stdout

    write_stdout(b"line\n" * 100_000)
    return 1


add_shared(app, "tools.core.tests.cli", lambda: RULES)
PROGRAM = Program("toy", "1.0.0", "2.0.0", app, "check", ("crash", "speak", *SHARED))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the toy."""
    return run(PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
