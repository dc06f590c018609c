"""The options of this tool beside those that every tool has."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

_CALLS = "Calls"


class Depth(StrEnum):
    """How many cases are made. In this version `quick` and `normal` are the same."""

    QUICK = "quick"
    NORMAL = "normal"
    DEEP = "deep"


@dataclass(frozen=True)
class CallOptions:
    """Which tools are called, and how often."""

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
    depth: Annotated[
        Depth,
        typer.Option(
            "--depth",
            help="deep sends a value of every other type; quick and normal one.",
            rich_help_panel=_CALLS,
        ),
    ] = Depth.NORMAL
    seed: Annotated[int, typer.Option("--seed", help="Same seed, same cases.", rich_help_panel=_CALLS)] = 0
    max_calls: Annotated[
        int, typer.Option("--max-calls", min=1, metavar="N", help="Cases in all.", rich_help_panel=_CALLS)
    ] = 2_000
    full_trace: Annotated[
        Path | None,
        typer.Option(
            "--full-trace", metavar="FILE", help="Write each call as a JSON line.", rich_help_panel=_CALLS
        ),
    ] = None
