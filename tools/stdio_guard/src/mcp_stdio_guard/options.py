"""The options that are guard's own."""

import json
from dataclasses import dataclass, field
from typing import Annotated

import typer

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.model.json_value import Json
from mcp_stdio_guard.plan import Profile, RequestPlan

_LIMITS = "Limits"
_GUARD = "Guard"


@dataclass(frozen=True)
class CheckOptions:
    """What to ask the server."""

    profile: Annotated[
        Profile,
        typer.Option(
            "--profile",
            help="smoke: initialize alone; registry: two runs; ci: JSON; strict: two runs, JSON.",
            rich_help_panel=_GUARD,
        ),
    ] = Profile.CUSTOM
    repeat: Annotated[
        int | None,
        typer.Option(
            "--repeat",
            min=1,
            max=20,
            metavar="N",
            help="Run the server N times and compare the runs.",
            rich_help_panel=_GUARD,
        ),
    ] = None
    request: Annotated[
        list[str],
        typer.Option(
            "--request",
            metavar="METHOD",
            help="Also send this request and want a result. Repeatable.",
            rich_help_panel=_GUARD,
        ),
    ] = field(default_factory=list)
    params: Annotated[
        list[str],
        typer.Option(
            "--params",
            metavar="JSON",
            help="Parameters, an object; the first belongs to the first --request, and so on.",
            rich_help_panel=_GUARD,
        ),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class GuardLimitOptions:
    """Bounds of a run. In --timeout and --startup-timeout a bare number is milliseconds."""

    startup_timeout: Annotated[
        str,
        typer.Option(
            "--startup-timeout",
            metavar="TIME",
            help="Until the answer to initialize; a bare number is milliseconds.",
            rich_help_panel=_LIMITS,
        ),
    ] = "30000"
    timeout: Annotated[
        str,
        typer.Option(
            "--timeout",
            metavar="TIME",
            help="For one request; a bare number is milliseconds.",
            rich_help_panel=_LIMITS,
        ),
    ] = "5000"
    run_timeout: Annotated[
        str, typer.Option("--run-timeout", metavar="TIME", help="For the whole run.", rich_help_panel=_LIMITS)
    ] = "300s"
    max_stdout_bytes: Annotated[
        str,
        typer.Option("--max-stdout-bytes", metavar="SIZE", help="Stdout in all.", rich_help_panel=_LIMITS),
    ] = "1048576"
    max_stdout_line_bytes: Annotated[
        str,
        typer.Option(
            "--max-stdout-line-bytes", metavar="SIZE", help="One line of stdout.", rich_help_panel=_LIMITS
        ),
    ] = "262144"
    max_stderr_bytes: Annotated[
        str,
        typer.Option(
            "--max-stderr-bytes",
            metavar="SIZE",
            help="Stderr that is kept; more is drained and counted.",
            rich_help_panel=_LIMITS,
        ),
    ] = "1048576"
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


def read_requests(options: CheckOptions) -> tuple[RequestPlan, ...]:
    """Pair requests with their parameters. Raises CommandError for what cannot be sent."""
    if len(options.params) > len(options.request):
        raise CommandError("--params: there are more of them than --request")
    texts = [*options.params, *([None] * (len(options.request) - len(options.params)))]
    return tuple(
        RequestPlan(_method(method), _parameters(text))
        for method, text in zip(options.request, texts, strict=True)
    )


def _method(method: str) -> str:
    if not method.strip() or method.startswith("notifications/") or method == "initialize":
        raise CommandError(f"--request: {method!r} is not a request that can be sent after the handshake")
    return method


def _parameters(text: str | None) -> dict[str, Json] | None:
    if text is None:
        return None
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise CommandError(f"--params: this is not JSON ({problem})") from None
    if not isinstance(value, dict):
        raise CommandError("--params: the parameters of a request are an object")
    return value
