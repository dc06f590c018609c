"""A small folder of real files for tools that read them, under a folder that the server was started for.

Made anew for a run and removed afterwards. Its name is fixed, with a number where that is taken, so that two
runs send the same paths.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from mcp_check_core.inputs.sample_files import sample_contents

NAME = "mcp-check-sample"
_TRIES = 100
_OF_THE_LAUNCHER = frozenset(
    (
        *("--directory", "--project", "--prefix", "--python", "--cache-dir", "--cache", "--venv", "-C"),
        *("--from", "--with", "--with-editable", "--package", "-p", "--workspace", "-w", "-I", "-m"),
    )
)
"""Options of launchers (uv, npm, python, node) whose value is no folder of the server's."""
_KINDS = {
    "text": ("notes.txt", "readme.md"),
    "markdown": ("readme.md",),
    "csv": ("table.csv",),
    "json": ("data.json",),
    "image": ("picture.png",),
    "pdf": ("document.pdf",),
    "new": ("output.txt", "output-2.txt"),
}


@dataclass(frozen=True, slots=True)
class SampleFolder:
    """The folder while it is there. `paths` has absolute paths by kind, as `Realism.samples` takes them.

    `served` says whether it lies under a folder that the command line names; `problem` why there is none,
    then `paths` is empty.
    """

    folder: Path | None
    served: bool = False
    paths: Mapping[str, Sequence[str]] = field(default_factory=dict)
    problem: str | None = None


def served_root(argv: Sequence[str], cwd: Path) -> Path | None:
    """Give the first folder that a server's command line names for it, also as `--root=DIR`; None for none.

    Folders that are the launcher's own business are passed over, as is the file system's root.
    """
    for position, (before, word) in enumerate(pairwise(argv)):
        name, equals, value = word.partition("=")
        if before in _OF_THE_LAUNCHER or (equals and name in _OF_THE_LAUNCHER):
            continue
        folder = _folder(value if equals and word.startswith("-") else word, cwd)
        if folder is not None and not (position == 0 and _is_program(folder)):
            return folder
    return None


@contextmanager
def sample_folder(argv: Sequence[str], cwd: Path) -> Iterator[SampleFolder]:
    """Make the folder under the served root, else among the temporary files; remove it on leaving."""
    root = served_root(argv, cwd)
    made: Path | None = None
    try:
        try:
            made = _make(root if root is not None else Path(tempfile.gettempdir()))
            _fill(made)
        except OSError as problem:
            yield SampleFolder(None, problem=f"no sample folder could be made: {problem.strerror or problem}")
        else:
            yield SampleFolder(made, root is not None, _paths(made))
    finally:
        if made is not None:
            _remove(made)


def _folder(word: str, cwd: Path) -> Path | None:
    """Give a word as a folder that is there; None for any other word, also for one that is no path at all."""
    if not word or "\0" in word or word.startswith("-"):
        return None
    try:
        folder = (cwd / word).resolve()
        return folder if folder.is_dir() and folder != folder.parent else None
    except (OSError, RuntimeError):
        return None


def _is_program(folder: Path) -> bool:
    """Tell whether an interpreter could run a folder as it is."""
    return any((folder / name).is_file() for name in ("__main__.py", "package.json", "index.js"))


def _remove(folder: Path) -> None:
    """Remove the folder with what a server put into it; gone already is as well. Raises OSError."""
    if folder.is_symlink():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder, onerror=_again)


def _again(_remove: Callable[..., object], name: str, _problem: object) -> None:
    """Remove what could not be removed once its folder can be written to. Raises OSError."""
    path = Path(name)
    if not path.is_symlink() and not path.exists():
        return
    path.parent.chmod(0o700)
    if path.is_dir() and not path.is_symlink():
        path.chmod(0o700)
        shutil.rmtree(path)
    else:
        path.unlink()


def _make(root: Path) -> Path:
    """Make a folder that was not there, open to its owner alone. Raises OSError."""
    for number in range(1, _TRIES):
        made = root / (NAME if number == 1 else f"{NAME}-{number}")
        try:
            made.mkdir(mode=0o700)
        except FileExistsError:
            continue
        return made
    raise FileExistsError(f"{root} holds {_TRIES} of them already")


def _fill(folder: Path) -> None:
    for name, content in sample_contents().items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)


def _paths(folder: Path) -> Mapping[str, Sequence[str]]:
    files = {kind: [str(folder / name) for name in names] for kind, names in _KINDS.items()}
    return {**files, "folder": [str(folder), str(folder / "inner")]}
