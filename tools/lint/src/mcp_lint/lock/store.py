"""The lockfile on disk: created by one writer alone, replaced in one step."""

import os
import tempfile
from pathlib import Path

from mcp_check_core.cli.errors import CommandError
from mcp_check_core.cli.outputs import write_whole
from mcp_lint.lock.document import MAX_BYTES, Lock, LockError, from_bytes

DEFAULT_PATH = Path("mcp-lint.lock")


def read_lock(path: Path) -> Lock:
    """Read a lockfile. Raises CommandError for one that is missing or cannot be used."""
    lock = find_lock(path)
    if lock is None:
        raise CommandError(
            f"there is no lockfile {str(path)!r}; make one by mcp-lint lock, or by snapshot for --store home"
        )
    return lock


def find_lock(path: Path) -> Lock | None:
    """Read a lockfile, None where there is none. Raises CommandError for one that cannot be used."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise CommandError(f"cannot read the lockfile {str(path)!r}: {problem.strerror or problem}") from None
    try:
        return from_bytes(data)
    except LockError as problem:
        raise CommandError(f"the lockfile {str(path)!r} cannot be used: {problem}") from None


def create(path: Path, data: bytes) -> None:
    """Write the first lockfile whole; of several writers one succeeds. Raises CommandError."""
    try:
        handle, name = tempfile.mkstemp(dir=path.resolve().parent, prefix=f".{path.name[:100]}.")
    except OSError as problem:
        raise CommandError(f"cannot write {str(path)!r}: {problem.strerror or problem}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        _link(Path(name), path)
    except FileExistsError:
        raise CommandError(f"another process wrote {str(path)!r} meanwhile; run the command again") from None
    except OSError as problem:
        raise CommandError(f"cannot write {str(path)!r}: {problem.strerror or problem}") from None
    finally:
        Path(name).unlink(missing_ok=True)


def replace(path: Path, data: bytes) -> None:
    """Put a new lockfile in the place of the old one. Raises CommandError."""
    write_whole(path, data)


def _link(made: Path, path: Path) -> None:
    """Give a whole file its name, if the name is free. Raises FileExistsError where it is not.

    A file system without hard links gets the file by an exclusive open.
    """
    try:
        os.link(made, path)
    except FileExistsError:
        raise
    except OSError:
        with path.open("xb") as file:
            file.write(made.read_bytes())
