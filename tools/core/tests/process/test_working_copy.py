"""The copy of a working folder: what is in it, what is only shown, what is missing."""

import os
import stat
from pathlib import Path

import pytest

from mcp_check_core.process.working_copy import CopyLimits, copy_folder


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a folder with three files of ten bytes, one of them a level deeper."""
    folder = tmp_path / "source"
    (folder / "sub").mkdir(parents=True)
    for name in ("a", "b", "sub/c"):
        (folder / name).write_bytes(b"x" * 10)
    return folder


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Return an empty folder."""
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def test_copies_all(source: Path, target: Path) -> None:
    (source / "a").chmod(0o4755)
    os.utime(source / "b", ns=(1, 10**9))
    copy = copy_folder(source, target)
    assert (copy.entries, copy.bytes, copy.read_only, copy.left_out, copy.limit) == (4, 30, (), 0, None)
    assert (target / "sub" / "c").read_bytes() == b"x" * 10
    assert stat.S_IMODE((target / "a").stat().st_mode) == 0o755
    assert (target / "b").stat().st_mtime_ns == 10**9


def test_links_stay_links(source: Path, target: Path) -> None:
    (source / "away").symlink_to("/etc")
    (source / "near").symlink_to("a")
    (source / "loop").symlink_to(".")
    (source / "broken").symlink_to("nothing")
    copy_folder(source, target)
    assert [str((target / name).readlink()) for name in ("away", "near", "loop", "broken")] == [
        "/etc",
        "a",
        ".",
        "nothing",
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes on this platform")
def test_pipes_are_not_copied(source: Path, target: Path) -> None:
    os.mkfifo(source / "pipe")
    copy = copy_folder(source, target)
    assert sorted(path.name for path in target.iterdir()) == ["a", "b", "sub"]
    assert copy.left_out == 0


def test_installed_packages_are_only_shown(source: Path, target: Path) -> None:
    (source / "node_modules" / "x").mkdir(parents=True)
    (source / "environment").mkdir()
    (source / "environment" / "pyvenv.cfg").touch()
    copy = copy_folder(source, target)
    assert copy.read_only == ("environment", "node_modules")
    assert [list((target / name).iterdir()) for name in copy.read_only] == [[], []]
    assert copy.limit is None


@pytest.mark.parametrize(
    ("limits", "limit", "read_only"),
    [
        (CopyLimits(max_bytes=25), "bytes", ("sub/c",)),
        (CopyLimits(max_bytes=15), "bytes", ("b", "sub/c")),
        (CopyLimits(max_entries=2), "entries", ("sub",)),
        (CopyLimits(max_seconds=-1), "seconds", ("a", "b", "sub")),
    ],
)
def test_what_does_not_fit_is_only_shown(
    source: Path, target: Path, limits: CopyLimits, limit: str, read_only: tuple[str, ...]
) -> None:
    copy = copy_folder(source, target, limits)
    assert (copy.limit, copy.read_only, copy.left_out) == (limit, read_only, 0)
    assert copy.bytes <= limits.max_bytes
    assert all((target / path).exists() for path in read_only)


def test_what_finds_no_place_is_counted(source: Path, target: Path) -> None:
    for number in range(100):
        (source / f"more{number}").touch()
    copy = copy_folder(source, target, CopyLimits(max_entries=0))
    assert (len(copy.read_only), copy.left_out) == (64, 39)


def test_a_source_that_is_not_there(tmp_path: Path, target: Path) -> None:
    with pytest.raises(FileNotFoundError):
        copy_folder(tmp_path / "none", target)
