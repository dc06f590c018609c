"""The folders of a sandbox on the machine: made for it, kept while it lasts, removed with it.

Whoever was killed could not remove them. Each holds a lock as long as its maker lives, so that the next maker
removes those that nobody holds.
"""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

if sys.platform != "win32":
    import fcntl

assert sys.platform != "win32"  # noqa: S101 - the form that type checkers read

_PREFIX = "mcp-check-sandbox-"
_LOCK = "lock"


@dataclass(frozen=True)
class ThrowAway:
    """Folders below `base`: what the server may write, and two that stay empty (`runtime`, `root`)."""

    base: Path
    lock: int

    @property
    def work(self) -> Path:
        """The copy of the working folder."""
        return self.base / "work"

    @property
    def home(self) -> Path:
        """The server's home."""
        return self.base / "home"

    @property
    def temp(self) -> Path:
        """The server's /tmp."""
        return self.base / "temp"

    @property
    def runtime(self) -> Path:
        """The server's /run, empty but for places to show something at."""
        return self.base / "run"

    @property
    def packages(self) -> Path:
        """What was fetched by a launcher that keeps nothing itself."""
        return self.base / "packages"

    @property
    def root(self) -> Path:
        """A place to build the server's file system at."""
        return self.base / "root"

    def remove(self) -> None:
        """Remove all of it, whatever permissions the server gave to what it wrote."""
        _remove(self.base)
        os.close(self.lock)


def make_throw_away() -> ThrowAway:
    """Make the folders, for this user alone, and remove those of makers that were killed."""
    _remove_abandoned(Path(tempfile.gettempdir()))
    base = Path(os.path.realpath(tempfile.mkdtemp(prefix=_PREFIX)))
    made = ThrowAway(base, _locked(base))
    for folder in (made.work, made.home, made.temp, made.runtime, made.packages, made.root):
        folder.mkdir()
    return made


def _locked(base: Path) -> int:
    """Make and lock the lock file; nobody sees it unlocked, since it gets its name afterwards."""
    descriptor, name = tempfile.mkstemp(dir=base)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    Path(name).rename(base / _LOCK)
    return descriptor


def _remove_abandoned(folder: Path) -> None:
    for base in folder.glob(f"{_PREFIX}*"):
        try:
            if base.is_symlink() or base.stat().st_uid != os.geteuid():
                continue
            descriptor = os.open(base / _LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            continue  # gone meanwhile, or not made to its end yet
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(base)
        except BlockingIOError:
            continue  # its maker lives
        finally:
            os.close(descriptor)


def _remove(base: Path) -> None:
    """Remove by the system's own `rm`, which no depth of folders stops; again once permissions are mended."""
    if _run("rm", "-rf", "--", str(base)) != 0:
        _run("chmod", "-R", "u+rwX", "--", str(base))
        _run("rm", "-rf", "--", str(base))


def _run(*command: str) -> int:
    environment = {"PATH": os.defpath}
    return subprocess.run(command, stderr=subprocess.DEVNULL, env=environment, check=False).returncode
