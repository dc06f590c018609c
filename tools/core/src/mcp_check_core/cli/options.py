"""The options that commands share, one dataclass a group."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mcp_check_core.cli.exit_code import FailOn

_TARGET = "Target"
_OUTPUT = "Output"
_LIMITS = "Limits"


class Format(StrEnum):
    """A form of the report."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    MARKDOWN = "markdown"
    GITHUB = "github"
    HTML = "html"
    AGENT = "agent"
    BADGE = "badge"


@dataclass(frozen=True)
class TargetOptions:
    """How to reach the server: its command stands after `--`, or it is behind a URL."""

    cwd: Annotated[
        Path | None,
        typer.Option("--cwd", metavar="DIR", help="Folder to start the server in.", rich_help_panel=_TARGET),
    ] = None
    env: Annotated[
        list[str],
        typer.Option(
            "--env",
            metavar="NAME=VALUE",
            help="Set a variable for the server; its value is never shown. Repeatable.",
            rich_help_panel=_TARGET,
        ),
    ] = field(default_factory=list)
    pass_env: Annotated[
        list[str],
        typer.Option(
            "--pass-env",
            metavar="NAME",
            help="Pass on a variable of yours; its value is never shown. Repeatable.",
            rich_help_panel=_TARGET,
        ),
    ] = field(default_factory=list)
    url: Annotated[
        str | None,
        typer.Option(
            "--url", metavar="URL", help="Check a server over Streamable HTTP.", rich_help_panel=_TARGET
        ),
    ] = None
    header: Annotated[
        list[str],
        typer.Option(
            "--header",
            metavar="NAME=VALUE",
            help="Send a header with each request; its value is never shown. Repeatable.",
            rich_help_panel=_TARGET,
        ),
    ] = field(default_factory=list)
    header_env: Annotated[
        list[str],
        typer.Option(
            "--header-env",
            metavar="NAME=VARIABLE",
            help="Send a header whose value is that of a variable of yours. Repeatable.",
            rich_help_panel=_TARGET,
        ),
    ] = field(default_factory=list)
    protocol: Annotated[
        str,
        typer.Option(
            "--protocol",
            metavar="auto|VERSION|all",
            help="Protocol version to speak, or each era that the server has.",
            rich_help_panel=_TARGET,
        ),
    ] = "auto"


@dataclass(frozen=True)
class SandboxOptions:
    """Where the server runs; for the tools that call more than reading tools."""

    sandbox: Annotated[
        bool,
        typer.Option(
            "--sandbox",
            help="Run the server without network, with a throw-away home, temp and copy of its folder.",
            rich_help_panel=_TARGET,
        ),
    ] = False


@dataclass(frozen=True)
class OutputOptions:
    """Where the report goes, and in which form."""

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
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace", metavar="FILE", help="Record every frame as JSON lines.", rich_help_panel=_OUTPUT
        ),
    ] = None
    journal: Annotated[
        Path | None,
        typer.Option(
            "--journal",
            metavar="FILE",
            help="Write each finding as it is made; survives a kill.",
            rich_help_panel=_OUTPUT,
        ),
    ] = None


@dataclass(frozen=True)
class GateOptions:
    """What makes the command exit with 1. The default of `fail_on` is the command's own."""

    fail_on: Annotated[
        FailOn | None,
        typer.Option(
            "--fail-on", help="Exit 1 on a finding of this severity or worse.", rich_help_panel=_OUTPUT
        ),
    ] = None
    fail_under: Annotated[
        float,
        typer.Option(
            "--fail-under",
            min=0,
            max=100,
            metavar="SCORE",
            help="Exit 1 on a lower score, or on none.",
            rich_help_panel=_OUTPUT,
        ),
    ] = 0.0


@dataclass(frozen=True)
class LimitOptions:
    """Bounds of a run. A duration is written 500ms, 5s or 2m; a bare number is seconds.

    What is None is the tool's own default; the help names the common ones.
    """

    startup_timeout: Annotated[
        str,
        typer.Option(
            "--startup-timeout",
            metavar="TIME",
            help="Until the answer to initialize.",
            rich_help_panel=_LIMITS,
        ),
    ] = "30s"
    timeout: Annotated[
        str,
        typer.Option("--timeout", metavar="TIME", help="For one request or call.", rich_help_panel=_LIMITS),
    ] = "15s"
    run_timeout: Annotated[
        str,
        typer.Option("--run-timeout", metavar="TIME", help="For the whole run.", rich_help_panel=_LIMITS),
    ] = "300s"
    max_memory: Annotated[
        str,
        typer.Option(
            "--max-memory", metavar="SIZE", help="For the server and all it starts.", rich_help_panel=_LIMITS
        ),
    ] = "2GiB"
    max_processes: Annotated[
        int,
        typer.Option(
            "--max-processes",
            min=1,
            metavar="N",
            help="Processes of the server at once.",
            rich_help_panel=_LIMITS,
        ),
    ] = 64
    max_stdout_line_bytes: Annotated[
        str | None,
        typer.Option(
            "--max-stdout-line-bytes",
            metavar="SIZE",
            help="One line of stdout; 16MiB.",
            rich_help_panel=_LIMITS,
        ),
    ] = None
    max_stdout_bytes: Annotated[
        str | None,
        typer.Option(
            "--max-stdout-bytes",
            metavar="SIZE",
            help="Stdout of one start; 64MiB.",
            rich_help_panel=_LIMITS,
        ),
    ] = None
    max_stderr_bytes: Annotated[
        str | None,
        typer.Option(
            "--max-stderr-bytes",
            metavar="SIZE",
            help="The end of stderr that is kept; 1MiB.",
            rich_help_panel=_LIMITS,
        ),
    ] = None
    max_json_depth: Annotated[
        int | None,
        typer.Option(
            "--max-json-depth",
            min=1,
            max=512,
            metavar="N",
            help="Levels of nesting of a message; 512.",
            rich_help_panel=_LIMITS,
        ),
    ] = None
    max_tools: Annotated[
        int | None,
        typer.Option(
            "--max-tools",
            min=1,
            metavar="N",
            help="Entries of one list; 10000.",
            rich_help_panel=_LIMITS,
        ),
    ] = None
    max_pages: Annotated[
        int | None,
        typer.Option(
            "--max-pages",
            min=1,
            metavar="N",
            help="Pages of one list; 100.",
            rich_help_panel=_LIMITS,
        ),
    ] = None
    probe_timeout: Annotated[
        str,
        typer.Option(
            "--probe-timeout",
            metavar="TIME",
            help="To find out whether the server speaks the protocol without a handshake.",
            rich_help_panel=_LIMITS,
        ),
    ] = "10s"
