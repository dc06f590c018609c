"""Put a check together from what the command line said."""

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.values import size
from mcp_check_core.model.finding import Finding
from mcp_check_core.model.report import Target, TargetKind
from mcp_check_core.report.collector import Collector
from mcp_check_core.report.journal import Journal
from mcp_doctor._version import __version__
from mcp_doctor.discover.limits import ReadLimits
from mcp_doctor.engine.comments import Comments
from mcp_doctor.engine.doctor import Doctor
from mcp_doctor.options import ReadOptions
from mcp_doctor.python import adapter as python_adapter
from mcp_doctor.registry import RULES
from mcp_doctor.script import adapter as script_adapter

ADAPTERS = (python_adapter.analyse, script_adapter.analyse)


def build(
    paths: Sequence[Path],
    limits: ReadLimits,
    *,
    journal: Journal | None = None,
    hold: Callable[[Finding], str | None] | None = None,
) -> Doctor:
    """Make the check; nothing is read yet. Raises CommandError for a path that cannot be read."""
    root, chosen = read_paths(paths)
    comments = Comments()

    def held(finding: Finding) -> str | None:
        return comments.reason(finding) or (hold(finding) if hold is not None else None)

    collector = Collector(
        tool="mcp-doctor",
        version=__version__,
        rules=RULES,
        target=Target(TargetKind.SOURCE, command=tuple(map(str, paths)), cwd="."),
        journal=journal,
        hold=held,
    )
    return Doctor(root, chosen, limits, collector, comments, ADAPTERS)


def read_paths(paths: Sequence[Path]) -> tuple[Path, tuple[Path, ...]]:
    """Give the root that places are relative to, and what to read in it (nothing: all of it).

    The root is the folder that was named, else the folder that holds all that was. Raises CommandError.
    """
    for path in paths:
        if not path.exists():
            raise CommandError(f"there is no file or folder {str(path)!r}")
        if not (path.is_dir() or path.is_file()):
            raise CommandError(f"{str(path)!r} is neither a file nor a folder")
        if not os.access(path, os.R_OK):
            raise CommandError(f"cannot read {str(path)!r}: no permission")
    absolute = [path.resolve() for path in paths]
    if len(absolute) == 1 and absolute[0].is_dir():
        return absolute[0], ()
    root = Path(os.path.commonpath([path if path.is_dir() else path.parent for path in absolute]))
    return root, tuple(sorted(set(absolute)))


def read_limits(options: ReadOptions) -> ReadLimits:
    """Read the limits. Raises CommandError."""
    return ReadLimits(
        file_bytes=size(options.max_file_bytes, "--max-file-bytes"),
        files=options.max_files,
        total_bytes=size(options.max_total_bytes, "--max-total-bytes"),
    )


def open_journal(files: ExitStack, path: Path | None) -> Journal | None:
    """Open the journal, if one is wanted, until `files` is left. Raises CommandError."""
    if path is None:
        return None
    try:
        journal = Journal(path)
    except OSError as problem:
        raise CommandError(f"--journal: cannot write {str(path)!r}: {problem.strerror}") from None
    files.callback(journal.close)
    return journal
