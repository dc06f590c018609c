"""The options of this tool beside those that every tool has."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

_CALLS = "Calls"


@dataclass(frozen=True)
class CallOptions:
    """Which tools are called, with what, and how often."""

    include_destructive: Annotated[
        bool,
        typer.Option(
            "--include-destructive",
            help="Also call tools that are not annotated readOnlyHint: true.",
            rich_help_panel=_CALLS,
        ),
    ] = False
    tool: Annotated[
        list[str],
        typer.Option("--tool", metavar="GLOB", help="Call these alone. Repeatable.", rich_help_panel=_CALLS),
    ] = field(default_factory=list)
    exclude: Annotated[
        list[str],
        typer.Option(
            "--exclude", metavar="GLOB", help="Leave these out. Repeatable.", rich_help_panel=_CALLS
        ),
    ] = field(default_factory=list)
    fixtures: Annotated[
        Path | None,
        typer.Option(
            "--fixtures",
            metavar="FILE",
            help="Take the arguments of the tools it names from this file of probes.",
            rich_help_panel=_CALLS,
        ),
    ] = None
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same input.", rich_help_panel=_CALLS)] = 0
    max_calls: Annotated[
        int, typer.Option("--max-calls", min=1, metavar="N", help="Calls in all.", rich_help_panel=_CALLS)
    ] = 2_000
