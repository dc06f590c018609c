"""The files of a source tree: bounded, in order, never out of the root."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mcp_doctor.discover.exclusions import Exclusion, file_exclusion, folder_exclusion
from mcp_doctor.discover.limits import ReadLimits
from mcp_doctor.syntax.grammars import GRAMMARS

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_IGNORE = ".gitignore"
_LARGEST_IGNORE = 2**20


@dataclass(frozen=True, slots=True)
class Excluded:
    """A file or folder that was not read, relative to the root."""

    path: str
    reason: Exclusion


@dataclass(slots=True)
class Tree:
    """What was found below a root: source files by path with their size, and what was left out."""

    root: Path
    files: dict[str, int] = field(default_factory=dict)
    excluded: list[Excluded] = field(default_factory=list)
    total_bytes: int = 0

    @property
    def cut_short(self) -> bool:
        """Whether a limit on the tree as a whole was reached."""
        return any(one.reason is Exclusion.TOO_MANY for one in self.excluded)


@dataclass(frozen=True, slots=True)
class _Folder:
    path: Path
    relative: PurePosixPath
    ignores: tuple["tuple[PurePosixPath, GitIgnoreSpec]", ...]


def find_files(root: Path, limits: ReadLimits, chosen: Sequence[Path] = ()) -> Tree:
    """Walk a folder, or take the chosen files and folders in it alone. Symbolic links to folders are left."""
    tree = Tree(root)
    starts = [
        _Folder(path, PurePosixPath(path.relative_to(root).as_posix()), ()) for path in chosen or (root,)
    ]
    pending = [start for start in reversed(starts) if start.path.is_dir()]
    for start in starts:
        if not start.path.is_dir():
            _take(tree, start.path, start.relative, limits)
    while pending:
        folder = pending.pop()
        pending.extend(reversed(list(_enter(tree, folder, limits))))
    return tree


def _enter(tree: Tree, folder: _Folder, limits: ReadLimits) -> Iterator[_Folder]:
    try:
        with os.scandir(folder.path) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        tree.excluded.append(Excluded(str(folder.relative), Exclusion.UNREADABLE))
        return
    ignores = (*folder.ignores, *_read_ignore(folder, entries))
    for entry in entries:
        relative = folder.relative / entry.name
        if entry.is_dir(follow_symlinks=False):
            why = folder_exclusion(entry.name) or _ignored(ignores, relative, is_folder=True)
            if why is None:
                yield _Folder(Path(entry.path), relative, ignores)
            else:
                tree.excluded.append(Excluded(str(relative), why))
        elif PurePosixPath(entry.name).suffix.lower() in GRAMMARS:
            _file(tree, entry, relative, ignores, limits)


def _file(
    tree: Tree,
    entry: os.DirEntry[str],
    relative: PurePosixPath,
    ignores: tuple["tuple[PurePosixPath, GitIgnoreSpec]", ...],
    limits: ReadLimits,
) -> None:
    why = file_exclusion(entry.name) or _ignored(ignores, relative, is_folder=False)
    if why is None and entry.is_symlink():
        target = Path(entry.path).resolve()
        why = None if target.is_relative_to(tree.root.resolve()) else Exclusion.OUTSIDE
        why = why or (Exclusion.LOOP if not target.is_file() else None)
    if why is not None:
        tree.excluded.append(Excluded(str(relative), why))
    elif entry.is_file():
        _take(tree, Path(entry.path), relative, limits)


def _take(tree: Tree, path: Path, relative: PurePosixPath, limits: ReadLimits) -> None:
    try:
        size = path.stat().st_size
    except OSError:
        tree.excluded.append(Excluded(str(relative), Exclusion.UNREADABLE))
        return
    if size > limits.file_bytes:
        tree.excluded.append(Excluded(str(relative), Exclusion.TOO_LARGE))
    elif len(tree.files) >= limits.files or tree.total_bytes + size > limits.total_bytes:
        tree.excluded.append(Excluded(str(relative), Exclusion.TOO_MANY))
    else:
        tree.files[str(relative)] = size
        tree.total_bytes += size


def _read_ignore(
    folder: _Folder, entries: Sequence[os.DirEntry[str]]
) -> Iterator["tuple[PurePosixPath, GitIgnoreSpec]"]:
    for entry in entries:
        if (
            entry.name == _IGNORE
            and entry.is_file(follow_symlinks=False)
            and entry.stat().st_size <= _LARGEST_IGNORE
        ):
            from pathspec import GitIgnoreSpec  # noqa: PLC0415 - few trees need it

            lines = Path(entry.path).read_bytes().decode("utf-8", "replace").splitlines()
            yield folder.relative, GitIgnoreSpec.from_lines(lines)


def _ignored(
    ignores: tuple["tuple[PurePosixPath, GitIgnoreSpec]", ...], relative: PurePosixPath, *, is_folder: bool
) -> Exclusion | None:
    for base, spec in ignores:
        below = str(relative.relative_to(base))
        if spec.match_file(f"{below}/" if is_folder else below):
            return Exclusion.IGNORED
    return None
