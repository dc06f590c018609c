"""The options that are lint's own."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mcp_check_core.model.finding import Severity
from mcp_lint.facts.settings import Profile

_LINT = "Lint"
_LOCK = "Lock"
_AGAIN = "Again"


class Scale(StrEnum):
    """By which scale changes are weighed."""

    LINT = "lint"
    BANDS = "bands"


class Store(StrEnum):
    """Where lockfiles are kept."""

    REPOSITORY = "repository"
    HOME = "home"


class FailOnChange(StrEnum):
    """The mildest change that fails a check, by either scale."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    INFORMATIONAL = "informational"
    NEVER = "never"


@dataclass(frozen=True)
class LintOptions:
    """What to look for, and what to show of it."""

    profile: Annotated[
        Profile | None,
        typer.Option("--profile", help="Also look for what this directory demands.", rich_help_panel=_LINT),
    ] = None
    lock: Annotated[
        Path | None,
        typer.Option(
            "--lock",
            metavar="PATH",
            help="Also compare with this lockfile, which must be there.",
            rich_help_panel=_LINT,
        ),
    ] = None
    min_severity: Annotated[
        Severity,
        typer.Option(
            "--min-severity",
            help="The mildest findings that the text form shows one by one; all are counted.",
            rich_help_panel=_LINT,
        ),
    ] = Severity.WARNING


@dataclass(frozen=True)
class AgainOptions:
    """Whether to list a live server's definitions more than once."""

    clients: Annotated[
        bool,
        typer.Option(
            "--clients",
            help="Also list as other clients, and compare what each is shown.",
            rich_help_panel=_AGAIN,
        ),
    ] = False
    repeat: Annotated[
        int,
        typer.Option(
            "--repeat",
            min=1,
            max=20,
            metavar="N",
            help="Start the server N times, and compare what is listed.",
            rich_help_panel=_AGAIN,
        ),
    ] = 1


@dataclass(frozen=True)
class LockOptions:
    """What to do with the lockfile."""

    check: Annotated[
        bool,
        typer.Option("--check", help="Compare with the lockfile and write nothing.", rich_help_panel=_LOCK),
    ] = False
    accept: Annotated[
        bool,
        typer.Option(
            "--accept", help="Write the lockfile anew over changes at error level.", rich_help_panel=_LOCK
        ),
    ] = False
    from_file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Read a saved tools/list in the place of a server.",
            rich_help_panel=_LOCK,
        ),
    ] = None
    lock: Annotated[
        Path | None,
        typer.Option(
            "--lock",
            metavar="PATH",
            help="The lockfile [default: mcp-lint.lock].",
            rich_help_panel=_LOCK,
        ),
    ] = None
    store: Annotated[
        Store,
        typer.Option(
            "--store",
            help="home: keep it in your data folder, for servers that are not yours.",
            rich_help_panel=_LOCK,
        ),
    ] = Store.REPOSITORY
    scale: Annotated[
        Scale,
        typer.Option("--scale", help="By which scale --fail-on weighs changes.", rich_help_panel=_LOCK),
    ] = Scale.LINT
    fail_on: Annotated[
        FailOnChange | None,
        typer.Option(
            "--fail-on",
            help="Exit 1 on such a change or a worse one [default: warning; on the scale of bands high].",
            rich_help_panel=_LOCK,
        ),
    ] = None
