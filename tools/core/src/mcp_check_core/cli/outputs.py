"""Where reports go: planned and checked before anything starts, written whole or not at all."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.options import Format, OutputOptions
from mcp_check_core.model.report import Report

PLAIN_WIDTH = 100
"""Columns of a text report that does not go to a terminal."""

TextRenderer = Callable[[Report, int, bool], str]


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
    for path in (*(path for _, path in files), *filter(None, (options.trace, options.journal))):
        check_writable(path)
    paths = [path for _, path in files]
    if len(set(paths)) != len(paths):
        raise CommandError("two outputs go to the same file")
    return OutputPlan(Format.JSON if options.json else options.format, tuple(files))


def check_writable(path: Path) -> None:
    """Raise CommandError where a file could not be written."""
    folder = path.parent
    if path.is_dir():
        raise CommandError(f"cannot write {str(path)!r}: it is a folder")
    if not folder.is_dir():
        raise CommandError(f"cannot write {str(path)!r}: there is no folder {str(folder)!r}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise CommandError(f"cannot write {str(path)!r}: no permission")


def emit(report: Report, plan: OutputPlan, text: TextRenderer | None = None) -> None:
    """Write a report to all its outputs. `text` renders the text form (default: the common one)."""
    forms = _renderers(text)
    for form, path in plan.files:
        write_whole(path, forms[form](report, PLAIN_WIDTH, False))
    interactive = sys.stdout.isatty()
    width = shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns if interactive else PLAIN_WIDTH
    colour = interactive and not os.environ.get("NO_COLOR")
    write_stdout(forms[plan.stdout](report, width, colour))


def write_stdout(data: bytes) -> None:
    """Write bytes to stdout and flush, so that a reader that left is noticed here."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one step: readers see the old one or the new one. Raises CommandError."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).chmod(_mode(path))
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise CommandError(f"cannot write {str(path)!r}: {problem.strerror or problem}") from None


def _mode(path: Path) -> int:
    """Give a new file the rights that `open` would have given it, and an old one those it had."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _renderers(text: TextRenderer | None) -> Mapping[Format, Callable[[Report, int, bool], bytes]]:
    from mcp_check_core.report.document import to_document
    from mcp_check_core.report.json_format import dump_document
    from mcp_check_core.report.markdown import render_markdown
    from mcp_check_core.report.text import render_text

    def as_text(report: Report, width: int, colour: bool) -> bytes:
        rendered = text(report, width, colour) if text else render_text(report, width=width, color=colour)
        return rendered.encode("utf-8", "backslashreplace")

    return {
        Format.TEXT: as_text,
        Format.JSON: lambda report, _width, _colour: dump_document(to_document(report)),
        Format.MARKDOWN: lambda report, _width, _colour: render_markdown(report).encode(
            "utf-8", "backslashreplace"
        ),
    }
