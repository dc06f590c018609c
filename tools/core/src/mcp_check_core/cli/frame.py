"""The frame around every command: argv, errors, exit codes."""

import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass

import typer

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.exit_code import ExitCode

_HELP = ("--help", "-h")
_VERSION = "--version"
_DEBUG = "--debug"


@dataclass(frozen=True, slots=True)
class Invocation:
    """What the frame read before the options: the program's name and the words after the first `--`.

    `command` is None where there was no `--`; it is empty where nothing followed it.
    """

    program: str
    command: tuple[str, ...] | None = None


SERVER_COMMAND = "[OPTIONS] -- COMMAND [ARG ...]"
"""What follows the program's name in the help of a tool that starts a server."""

EVERYWHERE = "--version names the versions; --debug shows where an internal error arose."
"""The end of each help page."""


@dataclass(frozen=True, slots=True)
class Program:
    """A command line program: its typer app, its names, and the command that runs where none is named."""

    name: str
    version: str
    core_version: str
    app: typer.Typer
    default: str
    subcommands: tuple[str, ...] = ()


def run(program: Program, argv: Sequence[str] | None = None) -> int:
    """Run a program on `argv` (default: that of the process) and give its exit code. Never raises.

    Words after the first `--` are the server's command, whatever they are. A first word that equals a
    subcommand is one; without one the default command runs.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    own, command = split_command(words)
    debug = _DEBUG in own
    own = [word for word in own if word != _DEBUG]
    if own[:1] == [_VERSION]:
        sys.stdout.write(f"{program.name} {program.version} (mcp-check-core {program.core_version})\n")
        return ExitCode.OK
    if not own or own[0] not in (*program.subcommands, program.default):
        own = [program.default, *own]
    own = ["--help" if word in _HELP else word for word in own]
    try:
        return _invoke(program, own, Invocation(program.name, command))
    except CommandError as problem:
        return _fail(program, str(problem))
    except typer.TyperException as problem:
        return _fail(program, f"{problem.format_message().rstrip('.')} (see {program.name} --help)")
    except (KeyboardInterrupt, typer.Abort):
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        return _reader_left()
    except Exception as problem:  # noqa: BLE001 - the last resort: one line instead of a traceback
        if debug:
            traceback.print_exc()
        again = "" if debug else "; --debug shows where"
        return _fail(program, f"internal error: {type(problem).__name__}: {problem}{again}")


def split_command(words: Sequence[str]) -> tuple[list[str], tuple[str, ...] | None]:
    """Split an argv at the first `--`: our own words, and the server's command (None without a `--`)."""
    if "--" not in words:
        return list(words), None
    at = list(words).index("--")
    return list(words[:at]), tuple(words[at + 1 :])


def _invoke(program: Program, words: list[str], invocation: Invocation) -> int:
    group = typer.main.get_command(program.app)
    if words[0] == program.default:
        command, words = getattr(group, "commands", {}).get(program.default, group), words[1:]
    else:
        command = group
    result = command.main(args=words, prog_name=program.name, standalone_mode=False, obj=invocation)
    return int(result) if isinstance(result, int) else ExitCode.OK


def _fail(program: Program, message: str) -> int:
    line = " ".join(message.split())
    sys.stderr.write(f"{program.name}: error: {line}\n")
    return ExitCode.UNUSABLE


def _reader_left() -> int:
    """Whoever read our output has gone: leave quietly, and let what is flushed later go nowhere."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
    return ExitCode.OK
