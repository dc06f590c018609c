"""`diff`: what became of the findings from one JSON report to a later one."""

import os
import sys
from pathlib import Path

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.exit_code import ExitCode, FailOn
from mcp_check_core.cli.outputs import screen
from mcp_check_core.cli.stdout import write_stdout
from mcp_check_core.model.finding import Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.report.diff import Difference, DiffError, difference, difference_document
from mcp_check_core.report.diff_text import render_difference
from mcp_check_core.report.json_format import DocumentError, dump_document, load_document
from mcp_trust_check.documents import MAX_DEPTH

MAX_BYTES = 256 * 2**20
"""Bytes of a report that is read: a merged one holds those of all tools."""
_ABOVE = 10
"""Levels that a merged report has above those of a tool's."""


def compare(before: Path, after: Path, *, as_json: bool, fail_on: FailOn) -> ExitCode:
    """Print the difference; the exit code is 1 where a new or worse finding is at `fail_on` or above.

    Raises CommandError for a file that is no report, and for reports of two commands.
    """
    documents = [_read(path) for path in (before, after)]
    try:
        found = difference(*documents)
    except DiffError as problem:
        raise CommandError(f"cannot compare the two: {problem}") from None
    if as_json:
        write_stdout(dump_document(difference_document(found)))
    else:
        width, color = screen(sys.stdout, os.environ)
        text = render_difference(found, width=width, color=color)
        write_stdout(text.encode("utf-8", "backslashreplace"))
    return ExitCode.GATE if _worse(found, fail_on) else ExitCode.OK


def _worse(found: Difference, fail_on: FailOn) -> bool:
    if fail_on is FailOn.NEVER:
        return False
    worst = Severity(fail_on.value)
    risen = [one.after for one in found.changed if one.after.severity.rank < one.before.severity.rank]
    return any(finding.severity.rank <= worst.rank for finding in (*found.new, *risen))


def _read(path: Path) -> dict[str, Json]:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as problem:
        raise CommandError(f"cannot read {str(path)!r}: {problem.strerror or problem}") from None
    try:
        return load_document(data, max_bytes=MAX_BYTES, max_depth=MAX_DEPTH + _ABOVE)
    except DocumentError as problem:
        raise CommandError(f"{str(path)!r} is no report: {str(problem).rstrip('.')}") from None
