"""Read from the command line which server to check, and what must never be shown of it."""

import os
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.frame import Invocation
from mcp_check_core.cli.options import LimitOptions, TargetOptions
from mcp_check_core.cli.remote import HttpServer, read_remote
from mcp_check_core.cli.values import duration, pairs, set_variables, size
from mcp_check_core.model.report import Target, TargetKind
from mcp_check_core.process.environment import minimal_environment
from mcp_check_core.process.launch import TreeLimits
from mcp_check_core.report.redact import Redactor, argv_secrets, command_digest, redact_argv
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.target import StdioTarget
from mcp_check_core.wire.versions import ALL, AUTO, HANDSHAKE_VERSIONS, MODERN_VERSIONS, era_of


@dataclass(frozen=True, slots=True)
class Server:
    """A server to check: how to start it, how a report names it, and what hides its secrets."""

    target: StdioTarget
    described: Target
    redactor: Redactor


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a run, read: for the wire, for the process tree, for the whole run (seconds)."""

    wire: WireLimits
    tree: TreeLimits
    run_s: float


def read_server(
    invocation: Invocation, options: TargetOptions, environ: Mapping[str, str], *, must_exist: bool = True
) -> Server:
    """Read the server's command and surroundings, for a command over stdio that chooses no version.

    With `must_exist` a command that is nowhere on the PATH is an error too. Raises CommandError for anything
    unusable, `--url` and `--protocol` included.
    """
    _refuse_both(invocation, options)
    if options.url:
        raise CommandError("--url: this version checks servers over stdio alone; give the command after --")
    if options.protocol != AUTO:
        raise CommandError(f"--protocol: {invocation.program} does not choose a version yet; leave it out")
    return _read_stdio(invocation, options, environ, AUTO, must_exist=must_exist)


def read_any_server(
    invocation: Invocation,
    options: TargetOptions,
    environ: Mapping[str, str],
    *,
    must_exist: bool = True,
    every_era: bool = False,
) -> Server | HttpServer:
    """Read the server, whichever way it is reached, and the version to speak. Raises CommandError.

    With `every_era` the version may be `ALL`: the command asks for the eras and checks each.
    """
    _refuse_both(invocation, options)
    protocol = _protocol(options.protocol, every_era=every_era)
    if options.url:
        return read_remote(options, environ, protocol)
    return _read_stdio(invocation, options, environ, protocol, must_exist=must_exist)


def _refuse_both(invocation: Invocation, options: TargetOptions) -> None:
    if invocation.command and options.url:
        raise CommandError("give the server's command after -- or --url, not both")
    for option, given in (("--header", options.header), ("--header-env", options.header_env)):
        if given and not options.url:
            raise CommandError(f"{option} is for a server behind a URL; there is no --url")


def _protocol(text: str, *, every_era: bool) -> str:
    if text == AUTO or (text == ALL and every_era) or era_of(text) is not None:
        return text
    if text == ALL:
        raise CommandError("--protocol: this command checks one era at a time; name a version, or auto")
    known = ", ".join((*HANDSHAKE_VERSIONS, *MODERN_VERSIONS))
    raise CommandError(f"--protocol: {text!r} is not auto, all or one of {known}")


def _read_stdio(
    invocation: Invocation,
    options: TargetOptions,
    environ: Mapping[str, str],
    protocol: str,
    *,
    must_exist: bool,
) -> Server:
    if not invocation.command:
        raise CommandError(
            f"no server given; write its command after --, as in: {invocation.program} -- python server.py"
        )
    added = pairs(options.env, "--env")
    passed = set_variables(options.pass_env, environ, "--pass-env")
    if twice := sorted(added.keys() & passed.keys()):
        raise CommandError(f"{twice[0]!r} is given by both --env and --pass-env")
    if options.cwd is not None and not options.cwd.is_dir():
        raise CommandError(f"--cwd: there is no folder {str(options.cwd)!r}")
    env = minimal_environment(environ, extra=added | passed)
    if must_exist:
        check_command(invocation.command, env, options.cwd)
    target = StdioTarget(
        invocation.command,
        options.cwd.resolve() if options.cwd else None,
        env,
        tuple(sorted(added | passed)),
        secrets.token_hex(12),
        protocol,
    )
    return describe(target, added | passed)


def describe(target: StdioTarget, hidden: Mapping[str, str]) -> Server:
    """Describe a target without its secrets: those in `hidden`, and what looks like one in the command."""
    redactor = Redactor(_secrets(target, hidden))
    command = tuple(redactor.text(word) for word in redact_argv(target.argv))
    described = Target(
        kind=TargetKind.STDIO,
        command=command,
        command_sha256=command_digest(command),
        cwd=os.path.relpath(target.cwd) if target.cwd else ".",
        environment=target.passed,
    )
    return Server(target, described, redactor)


def _secrets(target: StdioTarget, hidden: Mapping[str, str]) -> dict[str, str]:
    """Join all that is to be hidden; a name that is taken already gets a number."""
    joined = dict(hidden)
    for name, value in (*argv_secrets(target.argv).items(), ("launch", target.launch_id or "")):
        free, number = name, 1
        while free in joined:
            number += 1
            free = f"{name}-{number}"
        joined[free] = value
    return joined


def check_command(argv: tuple[str, ...], env: Mapping[str, str], cwd: Path | None) -> None:
    """Raise CommandError where the first word of a command is no program that can be started."""
    program = argv[0]
    if os.sep in program:
        path = Path(cwd or ".") / program
        if not path.exists():
            raise CommandError(f"no such command: there is no file {program!r}")
        if path.is_dir() or not os.access(path, os.X_OK):
            raise CommandError(f"no such command: {program!r} is not an executable file")
    elif shutil.which(program, path=env.get("PATH")) is None:
        raise CommandError(f"no such command: {program!r} is not on the PATH")


def read_limits(options: LimitOptions, wire: WireLimits | None = None) -> Limits:
    """Read the limit options over a tool's own defaults. Raises CommandError."""
    base = wire or WireLimits()
    return Limits(
        wire=replace(
            base,
            startup_s=duration(options.startup_timeout, "--startup-timeout"),
            request_s=duration(options.timeout, "--timeout"),
            probe_s=duration(options.probe_timeout, "--probe-timeout"),
            line_bytes=_size(options.max_stdout_line_bytes, "--max-stdout-line-bytes", base.line_bytes),
            stdout_bytes=_size(options.max_stdout_bytes, "--max-stdout-bytes", base.stdout_bytes),
            stderr_bytes=_size(options.max_stderr_bytes, "--max-stderr-bytes", base.stderr_bytes),
            json_depth=options.max_json_depth or base.json_depth,
            items=options.max_tools or base.items,
            pages=options.max_pages or base.pages,
        ),
        tree=TreeLimits(
            max_rss=size(options.max_memory, "--max-memory"), max_processes=options.max_processes
        ),
        run_s=duration(options.run_timeout, "--run-timeout"),
    )


def _size(text: str | None, option: str, default: int) -> int:
    return default if text is None else size(text, option)
