"""Where reports go: planned and checked before anything starts, written whole or not at all."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.options import Format, OutputOptions
from mcp_check_core.cli.rendering import Rendering, TextRenderer, check_available, render
from mcp_check_core.cli.stdout import write_stdout
from mcp_check_core.model.report import Report

PLAIN_WIDTH = 100
"""Columns of a text report that does not go to a terminal."""


@dataclass(frozen=True, slots=True)
class OutputPlan:
    """The form of the report on stdout, and each file with its form."""

    stdout: Format
    files: tuple[tuple[Format, Path], ...] = ()


def plan_outputs(options: OutputOptions) -> OutputPlan:
    """Read the output options. Raises CommandError for an unknown form or a file that cannot be written."""
    files: list[tuple[Format, Path]] = []
    if options.json_out is not None:
        files.append((Format.JSON, options.json_out))
    for item in options.output:
        name, equals, file = item.partition("=")
        if not equals or not file or name not in list(Format):
            raise CommandError(
                f"--output: {item!r} is not FORMAT=FILE with FORMAT one of {', '.join(Format)}"
            )
        files.append((Format(name), Path(file)))
    paths = [*(path for _, path in files), *filter(None, (options.trace, options.journal))]
    for path in paths:
        check_writable(path)
    targets = [path.resolve() for path in paths if not _is_special(path)]
    if twice := next((path for path in targets if targets.count(path) > 1), None):
        raise CommandError(f"two outputs go to the same file {str(twice)!r}")
    plan = OutputPlan(Format.JSON if options.json else options.format, tuple(files))
    for form in (plan.stdout, *(form for form, _ in plan.files)):
        check_available(form)
    return plan


def check_writable(path: Path) -> None:
    """Raise CommandError where a file could not be written."""
    if path.is_dir():
        raise CommandError(f"cannot write {str(path)!r}: it is a folder")
    folder = path.resolve().parent
    if not folder.is_dir():
        raise CommandError(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")
    needed = (path,) if _is_special(path) else filter(Path.exists, (folder, path))
    if not all(os.access(place, os.W_OK) for place in needed):
        raise CommandError(f"cannot write {str(path)!r}: no permission")


def emit(
    report: Report,
    plan: OutputPlan,
    text: TextRenderer | None = None,
    using: Rendering | None = None,
) -> None:
    """Write a report to all its outputs. `text` renders the text form (default: the common one).

    `using` gives the forms what they may show beyond the report, such as the book of rules. Raises
    CommandError like `write_outputs`.
    """
    shown = using or Rendering()
    if text is not None:
        shown = replace(shown, text=text)

    def show(form: Format, width: int, color: bool) -> bytes:
        return render(report, form, shown, width=width, color=color)

    write_outputs(plan, show)


def write_outputs(plan: OutputPlan, show: Callable[[Format, int, bool], bytes]) -> None:
    """Write all outputs; `show` gives a form as bytes, for so many columns and with colours or not.

    A file that cannot be written keeps no other output back. Raises CommandError for it at the end.
    """
    failed: CommandError | None = None
    for form, path in plan.files:
        try:
            write_whole(path, show(form, PLAIN_WIDTH, False))
        except CommandError as problem:
            failed = failed or problem
    write_stdout(show(plan.stdout, *screen(sys.stdout, os.environ)))
    if failed is not None:
        raise failed


def screen(stream: TextIO, environ: Mapping[str, str]) -> tuple[int, bool]:
    """Give the columns of a stream and whether it takes colours: a terminal does, unless told not to."""
    if not stream.isatty():
        return PLAIN_WIDTH, False
    plain = bool(environ.get("NO_COLOR")) or environ.get("TERM") == "dumb"
    return shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns, not plain


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one step: readers see the old one or the new one. Raises CommandError.

    A link is followed; what is no plain file (a device, a pipe) is written to as it is.
    """
    try:
        if _is_special(path):
            path.write_bytes(data)
        else:
            _replace(path.resolve(), data)
    except OSError as problem:
        raise CommandError(f"cannot write {str(path)!r}: {problem.strerror or problem}") from None


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()


def _replace(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(_mode(path))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """Give a new file the rights that `open` would have given it, and an old one those it had."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
