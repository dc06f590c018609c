"""The command line, read and checked before anything starts."""

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.frame import Invocation
from mcp_check_core.cli.options import TargetOptions
from mcp_check_core.cli.server import Server, read_server
from mcp_check_core.cli.suppression import Suppressing, SuppressionOptions, read_policy
from mcp_check_core.cli.values import duration, size
from mcp_trust_check.options import BoundOptions, SourceOptions, ToolOptions
from mcp_trust_check.rules import rules_of
from mcp_trust_check.run.tool_process import ToolLimits
from mcp_trust_check.toolset import SHORT_NAMES, TOOLS, Request, ServerLimits, Tool

_MEMORY_OF_TOOL = 256 * 2**20
_PROCESSES_OF_TOOL = 8
_SECONDS_OF_TOOL = 5.0


@dataclass(frozen=True, slots=True)
class Settings:
    """What is to be done: the server, the tools, what each is asked, and all limits (seconds, bytes)."""

    server: Server
    secrets: Mapping[str, str]
    tools: tuple[Tool, ...]
    request: Request
    limits: ToolLimits
    suppressing: Suppressing
    jobs: int
    run_s: float


def read_settings(
    invocation: Invocation,
    target: TargetOptions,
    source: SourceOptions,
    tools: ToolOptions,
    bounds: BoundOptions,
    holding: SuppressionOptions,
    environ: Mapping[str, str],
) -> Settings:
    """Read the options. Raises CommandError for anything that cannot be done."""
    chosen = _chosen(tools.only, tools.skip)
    invocation = _with_command(invocation, target, source)
    if source.path is not None and not source.path.exists():
        raise CommandError(f"--path: there is no file or folder {str(source.path)!r}")
    server = read_server(invocation, target, environ)
    limits = ToolLimits(
        wall_s=duration(bounds.tool_timeout, "--tool-timeout"),
        memory=size(bounds.max_memory, "--max-memory"),
        processes=2 * bounds.max_processes + _PROCESSES_OF_TOOL,
        output=size(bounds.max_output, "--max-output"),
    )
    names = server.target.passed
    request = Request(
        command=server.target.argv,
        limits=server_limits(limits, bounds.max_processes),
        cwd=server.target.cwd,
        variables=names,
        startup_s=duration(bounds.startup_timeout, "--startup-timeout"),
        timeout_s=None if bounds.timeout is None else duration(bounds.timeout, "--timeout"),
        seed=tools.seed,
        debug=invocation.debug,
        include_destructive=tools.include_destructive,
        more=_more(tools.tool_arg),
    )
    return Settings(
        server=server,
        secrets={name: server.target.env[name] for name in names},
        tools=chosen,
        request=request,
        limits=limits,
        suppressing=read_policy(holding, rules_of(chosen)),
        jobs=1 if tools.include_destructive else tools.jobs or os.cpu_count() or 1,
        run_s=duration(bounds.run_timeout, "--run-timeout"),
    )


def server_limits(limits: ToolLimits, processes: int) -> ServerLimits:
    """Leave room for the tool itself: it is to find a server that goes over a limit, not to end with it."""
    return ServerLimits(
        memory=max(limits.memory // 2, limits.memory - _MEMORY_OF_TOOL),
        processes=processes,
        run_s=max(limits.wall_s * 0.9, limits.wall_s - _SECONDS_OF_TOOL),
    )


def _with_command(invocation: Invocation, target: TargetOptions, source: SourceOptions) -> Invocation:
    """Take the server's command from where it stands; there must be one."""
    if source.run is not None:
        if invocation.command is not None:
            raise CommandError("give the server's command after -- or with --run, not both")
        try:
            invocation = replace(invocation, command=tuple(shlex.split(source.run)))
        except ValueError as problem:
            raise CommandError(f"--run: cannot be split into words: {problem}") from None
    if not invocation.command and target.url is None:
        raise CommandError(
            "no server given, and this version has no tool that reads source alone; "
            f"write its command after --, as in: {invocation.program} -- python server.py"
        )
    return invocation


def _chosen(only: Sequence[str], skip: Sequence[str]) -> tuple[Tool, ...]:
    for option, names in (("--only", only), ("--skip", skip)):
        for name in names:
            _known(option, name)
    chosen = tuple(tool for tool in TOOLS if (not only or tool.short in only) and tool.short not in skip)
    running = tuple(tool for tool in chosen if tool.in_this_version)
    if not running:
        there = ", ".join(tool.short for tool in TOOLS if tool.in_this_version)
        raise CommandError(f"--only and --skip leave no tool to run; this version runs {there}")
    return running


def _more(items: Sequence[str]) -> dict[str, tuple[str, ...]]:
    more: dict[str, tuple[str, ...]] = {}
    for item in items:
        name, equals, word = item.partition("=")
        if not equals or not word:
            raise CommandError(f"--tool-arg: {item!r} is not TOOL=ARG")
        _known("--tool-arg", name)
        more[name] = (*more.get(name, ()), word)
    return more


def _known(option: str, name: str) -> None:
    if name not in SHORT_NAMES:
        raise CommandError(f"{option}: there is no tool {name!r}; the tools are {', '.join(SHORT_NAMES)}")
