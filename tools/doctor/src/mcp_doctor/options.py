"""The options that are doctor's own."""

from dataclasses import dataclass
from typing import Annotated

import typer

_LIMITS = "Limits"
_OUTPUT = "Output"


@dataclass(frozen=True)
class ReadOptions:
    """Bounds of what is read."""

    run_timeout: Annotated[
        str, typer.Option("--run-timeout", metavar="TIME", help="For the whole run.", rich_help_panel=_LIMITS)
    ] = "300s"
    max_file_bytes: Annotated[
        str,
        typer.Option(
            "--max-file-bytes",
            metavar="SIZE",
            help="A larger file is not read, and named.",
            rich_help_panel=_LIMITS,
        ),
    ] = "5MiB"
    max_files: Annotated[
        int,
        typer.Option(
            "--max-files", min=1, metavar="N", help="Source files that are read.", rich_help_panel=_LIMITS
        ),
    ] = 20_000
    max_total_bytes: Annotated[
        str, typer.Option("--max-total-bytes", metavar="SIZE", help="Source in all.", rich_help_panel=_LIMITS)
    ] = "512MiB"


@dataclass(frozen=True)
class BreakageOptions:
    """A gate of doctor's own."""

    fail_on_breakages: Annotated[
        bool,
        typer.Option(
            "--fail-on-breakages", help="Exit 1 where something will break an agent.", rich_help_panel=_OUTPUT
        ),
    ] = False
