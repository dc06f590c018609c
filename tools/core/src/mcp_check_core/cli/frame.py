"""The frame around every command: argv, errors, exit codes."""

import atexit
import gc
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass

import typer

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.exit_code import ExitCode
from mcp_check_core.cli.stdout import reader_left

_HELP = ("--help", "-h")
_VERSION = "--version"
_DEBUG = "--debug"
_SECRET_OPTIONS = ("--env", "--header")
_LINE = 1_000
"""Characters of an error line."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """What the frame read before the options: the program's name and the words after the first `--`.

    `command` is None where there was no `--`; it is empty where nothing followed it. With `debug` the user
    wants to see where an internal error arose.
    """

    program: str
    command: tuple[str, ...] | None = None
    debug: bool = False


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
    _leave_quickly()
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
        return _invoke(program, own, Invocation(program.name, command, debug))
    except CommandError as problem:
        return _fail(program, str(problem), words)
    except typer.TyperException as problem:
        return _fail(program, f"{problem.format_message().rstrip('.')} (see {program.name} --help)", words)
    except (KeyboardInterrupt, typer.Abort):
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        reader_left()
        return ExitCode.OK
    except Exception as problem:  # noqa: BLE001 - the last resort: one line instead of a traceback
        if debug:
            traceback.print_exc()
        again = "" if debug else "; --debug shows where"
        return _fail(program, f"internal error: {type(problem).__name__}: {problem}{again}", words)


def _leave_quickly() -> None:
    """Spare the interpreter its last collection, which walks all that was imported: 50 ms of each run."""
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)


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


def _fail(program: Program, message: str, words: Sequence[str]) -> int:
    """Write the one line; what it quotes is bounded, inert, and without the secrets of the command line."""
    from mcp_check_core.model.bounds import cut_text
    from mcp_check_core.report.redact import Redactor, argv_secrets
    from mcp_check_core.report.sanitise import visible

    hidden = Redactor(argv_secrets(words) | _values(words)).text(message)
    line = cut_text(" ".join(hidden.split()), _LINE)
    sys.stderr.write(f"{program.name}: error: {visible(line)}\n")
    return ExitCode.UNUSABLE


def _values(words: Sequence[str]) -> dict[str, str]:
    """Name the values of `--env NAME=VALUE` and headers, which no message may repeat."""
    found: dict[str, str] = {}
    for before, word in zip(("", *words), words, strict=False):
        option, _, joined = word.partition("=")
        pair = word if before in _SECRET_OPTIONS else joined if option in _SECRET_OPTIONS else ""
        name, _, value = pair.replace(":", "=", 1).partition("=") if "=" not in pair else pair.partition("=")
        if value.strip():
            found[name] = value.strip()
    return found
