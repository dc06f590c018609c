"""Baselines of servers that are not yours: one file a server, in the user's data folder."""

import sys
from collections.abc import Mapping
from pathlib import Path

from mcp_check_core.cli.errors import CommandError
from mcp_lint.lock.document import Launch

VARIABLE = "MCP_LINT_HOME"
"""Names the folder in the place of the usual one."""


def home_folder(environ: Mapping[str, str]) -> Path:
    """Give the folder of baselines: the variable's, or the usual place of each system."""
    if environ.get(VARIABLE):
        return Path(environ[VARIABLE])
    if sys.platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "mcp-lint"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "mcp-lint"
    return Path(environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "mcp-lint"


def baseline_path(environ: Mapping[str, str], launch: Launch) -> Path:
    """Give the file of a server, named by the hash of its command alone. Raises CommandError."""
    if launch.sha256 is None:
        raise CommandError("--store home: a saved list has no command to file it under; use --lock PATH")
    folder = home_folder(environ)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise CommandError(f"cannot make the folder {str(folder)!r}: {problem.strerror or problem}") from None
    return folder / f"{launch.sha256}.lock"
