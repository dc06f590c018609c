"""The options of the command, one dataclass a group."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from mcp_check_core.cli.options import Format
from mcp_trust_check.fail_on import FailOn

_TARGET = "Target"
_TOOLS = "Tools"
_OUTPUT = "Output"
_LIMITS = "Limits"


@dataclass(frozen=True)
class SourceOptions:
    """Beside the common target options: a command as one text, and the folder of the source."""

    run: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="WORDS",
            help="The server's command as one text, split as a shell splits words, without a shell.",
            rich_help_panel=_TARGET,
        ),
    ] = None
    path: Annotated[
        Path | None,
        typer.Option(
            "--path",
            metavar="DIR",
            help="The server's source; no tool of this version reads it, and the report says so.",
            rich_help_panel=_TARGET,
        ),
    ] = None


@dataclass(frozen=True)
class ToolOptions:
    """Which tools run, and how."""

    only: Annotated[
        list[str],
        typer.Option(
            "--only", metavar="TOOL", help="Run this tool alone. Repeatable.", rich_help_panel=_TOOLS
        ),
    ] = field(default_factory=list)
    skip: Annotated[
        list[str],
        typer.Option(
            "--skip", metavar="TOOL", help="Leave this tool out. Repeatable.", rich_help_panel=_TOOLS
        ),
    ] = field(default_factory=list)
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", min=1, metavar="N", help="Tools at once; default: the CPUs.", rich_help_panel=_TOOLS
        ),
    ] = None
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="Seed of generated calls.", rich_help_panel=_TOOLS)
    ] = 0
    include_destructive: Annotated[
        bool,
        typer.Option(
            "--include-destructive",
            help="Also call tools that are not annotated as read-only; tools then run one after the other.",
            rich_help_panel=_TOOLS,
        ),
    ] = False
    tool_arg: Annotated[
        list[str],
        typer.Option(
            "--tool-arg",
            metavar="TOOL=ARG",
            help="A further word for one tool's command line. Repeatable.",
            rich_help_panel=_TOOLS,
        ),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class ReportOptions:
    """Where the report goes, in which form, and what makes the command fail."""

    format: Annotated[
        Format, typer.Option("--format", help="Form of the report on stdout.", rich_help_panel=_OUTPUT)
    ] = Format.TEXT
    json: Annotated[
        bool, typer.Option("--json", help="Short for --format json.", rich_help_panel=_OUTPUT)
    ] = False
    json_out: Annotated[
        Path | None,
        typer.Option(
            "--json-out", metavar="FILE", help="Also write the JSON report here.", rich_help_panel=_OUTPUT
        ),
    ] = None
    output: Annotated[
        list[str],
        typer.Option(
            "--output",
            metavar="FORMAT=FILE",
            help="Also write the report in this form here. Repeatable.",
            rich_help_panel=_OUTPUT,
        ),
    ] = field(default_factory=list)
    reports_dir: Annotated[
        Path | None,
        typer.Option(
            "--reports-dir",
            metavar="DIR",
            help="Keep the document of each tool here, unchanged.",
            rich_help_panel=_OUTPUT,
        ),
    ] = None
    fail_on: Annotated[
        FailOn,
        typer.Option(
            "--fail-on",
            help="Exit 1 on BLOCK; on FIX-FIRST too; or on all but SHIP with HIGH confidence.",
            rich_help_panel=_OUTPUT,
        ),
    ] = FailOn.NEVER
    fail_under: Annotated[
        float,
        typer.Option(
            "--fail-under",
            min=0,
            max=100,
            metavar="SCORE",
            help="Exit 1 on a lower combined score, or on none.",
            rich_help_panel=_OUTPUT,
        ),
    ] = 0.0


@dataclass(frozen=True)
class BoundOptions:
    """What bounds a run. A duration is written 500ms, 5s or 2m; a bare number is seconds."""

    startup_timeout: Annotated[
        str,
        typer.Option(
            "--startup-timeout",
            metavar="TIME",
            help="Until the server's answer to initialize.",
            rich_help_panel=_LIMITS,
        ),
    ] = "30s"
    timeout: Annotated[
        str | None,
        typer.Option(
            "--timeout",
            metavar="TIME",
            help="For one request or call; default: each tool's own.",
            rich_help_panel=_LIMITS,
        ),
    ] = None
    tool_timeout: Annotated[
        str, typer.Option("--tool-timeout", metavar="TIME", help="For one tool.", rich_help_panel=_LIMITS)
    ] = "300s"
    run_timeout: Annotated[
        str, typer.Option("--run-timeout", metavar="TIME", help="For the whole run.", rich_help_panel=_LIMITS)
    ] = "900s"
    max_memory: Annotated[
        str,
        typer.Option(
            "--max-memory",
            metavar="SIZE",
            help="For one tool, its server and all they start.",
            rich_help_panel=_LIMITS,
        ),
    ] = "2GiB"
    max_processes: Annotated[
        int,
        typer.Option(
            "--max-processes",
            min=1,
            metavar="N",
            help="Of the server and all it starts; a tool is ended at twice as many and 8.",
            rich_help_panel=_LIMITS,
        ),
    ] = 64
    max_output: Annotated[
        str,
        typer.Option(
            "--max-output", metavar="SIZE", help="What one tool may print.", rich_help_panel=_LIMITS
        ),
    ] = "64MiB"
