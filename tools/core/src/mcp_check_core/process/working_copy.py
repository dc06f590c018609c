"""A throw-away copy of a server's working folder, bounded in size, number of entries and time."""

import os
import shutil
import stat
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

_READ_ONLY_AT_MOST = 64
_PERMISSIONS = 0o777

CopyLimit = Literal["bytes", "entries", "seconds"]


@dataclass(frozen=True)
class CopyLimits:
    """What a copy may hold and take."""

    max_bytes: int = 256 * 2**20
    max_entries: int = 20_000
    max_seconds: float = 30.0


@dataclass(frozen=True)
class WorkingCopy:
    """A copy of a folder, and what of the folder is not in it.

    `read_only` are paths, relative to the folder, that hold an empty place where the original is to be shown
    read-only: installed packages always (`node_modules`, virtual environments), and what did not fit once
    `limit` was hit. `left_out` counts what is missing: unreadable files, and what found no place at the end.
    """

    folder: Path
    entries: int
    bytes: int
    read_only: tuple[str, ...]
    left_out: int
    limit: CopyLimit | None


def copy_folder(source: Path, target: Path, limits: CopyLimits | None = None) -> WorkingCopy:
    """Copy `source` to `target`, an empty folder, the shallow before the deep.

    Links stay links, never followed; sockets, pipes and devices are not copied. Raises `OSError` where
    `source` itself cannot be read or `target` cannot be written.
    """
    copying = _Copying(source, target, limits or CopyLimits())
    copying.run()
    return WorkingCopy(
        target, copying.entries, copying.bytes, tuple(copying.read_only), copying.left_out, copying.limit
    )


@dataclass
class _Copying:
    source: Path
    target: Path
    limits: CopyLimits
    entries: int = 0
    bytes: int = 0
    left_out: int = 0
    limit: CopyLimit | None = None
    read_only: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    def run(self) -> None:
        queue = deque([""])
        while queue:
            folder = queue.popleft()
            if folder and (self._installed(folder) or not self._fits(0)):
                self._hold(folder)
                continue
            try:
                found = sorted(os.scandir(self.source / folder), key=lambda entry: entry.name)
            except OSError:
                if not folder:
                    raise
                self.left_out += 1
                continue
            for entry in found:
                path = os.path.join(folder, entry.name)  # noqa: PTH118 - as text, it is the key of all else
                if self._take(path, entry):
                    queue.append(path)

    def _take(self, path: str, entry: os.DirEntry[str]) -> bool:
        """Copy one entry; say whether it is a folder to go into."""
        try:
            status = entry.stat(follow_symlinks=False)
            if stat.S_ISLNK(status.st_mode):
                self.entries += 1
                (self.target / path).symlink_to(Path(entry.path).readlink())
            elif stat.S_ISDIR(status.st_mode):
                self.entries += 1
                (self.target / path).mkdir(stat.S_IMODE(status.st_mode) & _PERMISSIONS | stat.S_IRWXU)
                return True
            elif stat.S_ISREG(status.st_mode):
                self._copy_file(path, status)
        except OSError:
            self.left_out += 1
        return False

    def _copy_file(self, path: str, status: os.stat_result) -> None:
        if not self._fits(status.st_size):
            self._hold(path, is_file=True)
            return
        target = self.target / path
        shutil.copyfile(self.source / path, target, follow_symlinks=False)
        self.entries += 1
        self.bytes += status.st_size
        target.chmod(stat.S_IMODE(status.st_mode) & _PERMISSIONS)
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))

    def _fits(self, size: int) -> bool:
        limits = self.limits
        reached: list[tuple[CopyLimit, bool]] = [
            ("bytes", self.bytes + size > limits.max_bytes),
            ("entries", self.entries >= limits.max_entries),
            ("seconds", time.monotonic() - self.began > limits.max_seconds),
        ]
        hit = next((name for name, over in reached if over), None)
        self.limit = self.limit or hit
        return hit is None

    def _installed(self, folder: str) -> bool:
        path = self.source / folder
        return path.name == "node_modules" or (path / "pyvenv.cfg").is_file()

    def _hold(self, path: str, *, is_file: bool = False) -> None:
        """Keep a place for what is to be shown as it is."""
        if len(self.read_only) >= _READ_ONLY_AT_MOST and not self._installed(path):
            self.left_out += 1
            return
        if is_file:
            (self.target / path).touch()
        self.read_only.append(path)
