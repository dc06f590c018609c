"""The sample folder: under what the command line names, of real files, gone afterwards."""

import csv
import io
import json
import os
import zlib
from pathlib import Path

import pytest

from mcp_check_core.inputs.sample_files import sample_contents
from mcp_check_core.inputs.sample_folder import NAME, sample_folder, served_root


def test_the_folder_lies_under_the_served_root_and_is_removed(tmp_path: Path) -> None:
    root = tmp_path / "files"
    root.mkdir()
    with sample_folder(["node", "server.js", str(root)], tmp_path) as samples:
        assert samples.folder == root / NAME
        assert samples.served
        assert all(
            Path(path).exists() for kind in samples.paths for path in samples.paths[kind] if kind != "new"
        )
        assert not any(Path(path).exists() for path in samples.paths["new"])
        (root / NAME / "left by the server").mkdir()
    assert list(root.iterdir()) == []


@pytest.mark.parametrize(
    ("argv", "found"),
    [
        (["server", "files"], "files"),
        (["python", "server.py", "--root=files"], "files"),
        (["python", "server.py", "--root", "files", "other"], "files"),
        (["uv", "--directory", "files", "run", "server"], None),
        (["npx", "-y", "server", "missing"], None),
        (["python", "program"], None),
        (["python", "x.py", "program"], "program"),
        (["server", "/"], None),
        (["server", "file.txt"], None),
        (["server", "a\0b", "", "-", "x" * 10_000], None),
        (["files"], None),
        ([], None),
    ],
)
def test_served_root(tmp_path: Path, argv: list[str], found: str | None) -> None:
    for name in ("files", "other", "program"):
        (tmp_path / name).mkdir()
    (tmp_path / "program" / "__main__.py").touch()
    (tmp_path / "file.txt").touch()
    assert served_root(argv, tmp_path) == (None if found is None else (tmp_path / found).resolve())


def test_a_name_that_is_taken_is_left_alone(tmp_path: Path) -> None:
    taken = tmp_path / NAME
    taken.mkdir()
    (taken / "mine").touch()
    with sample_folder(["server", str(tmp_path)], tmp_path) as samples:
        assert samples.folder == tmp_path / f"{NAME}-2"
    assert [path.name for path in tmp_path.rglob("*")] == [NAME, "mine"]


def test_without_a_root_it_is_temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with sample_folder(["server"], tmp_path) as samples:
        assert samples.folder == tmp_path / NAME
        assert not samples.served
    assert list(tmp_path.iterdir()) == []


def test_a_root_that_cannot_be_written_to_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with sample_folder(["server", str(tmp_path)], tmp_path) as samples:
        assert samples.folder is None
        assert samples.problem == "no sample folder could be made: Permission denied"
        assert samples.paths == {}


def test_it_is_removed_after_an_error_too(tmp_path: Path) -> None:
    class Interrupted(BaseException):
        pass

    with pytest.raises(Interrupted), sample_folder(["server", str(tmp_path)], tmp_path):
        raise Interrupted
    assert list(tmp_path.iterdir()) == []


def test_what_a_server_did_to_it_does_not_matter(tmp_path: Path) -> None:
    root, outside = tmp_path / "files", tmp_path / "outside"
    for folder in (root, outside):
        folder.mkdir()
    (outside / "kept").touch()
    with sample_folder(["server", str(root)], tmp_path) as samples:
        assert samples.folder is not None
        samples.folder.rename(root / "moved")
        samples.folder.symlink_to(outside)
    assert (outside / "kept").exists()
    assert sorted(path.name for path in root.iterdir()) == ["moved"]
    with sample_folder(["server", str(outside)], tmp_path) as samples:
        assert samples.folder is not None
        inner = samples.folder / "closed"
        inner.mkdir()
        (inner / "file").touch()
        inner.chmod(0o500)
    assert [path.name for path in outside.iterdir()] == ["kept"]


def test_the_files_are_what_they_say() -> None:
    contents = sample_contents()
    assert contents == sample_contents()
    assert len(json.loads(contents["data.json"])["items"]) == 2
    assert len(list(csv.reader(io.StringIO(contents["table.csv"].decode())))) == 4
    picture = contents["picture.png"]
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    start = picture.index(b"IDAT")
    size = int.from_bytes(picture[start - 4 : start], "big")
    assert len(zlib.decompress(picture[start + 4 : start + 4 + size])) == 8 * (1 + 3 * 8)
    document = contents["document.pdf"]
    place = int(document.split(b"startxref\n")[1].split(b"\n")[0])
    assert document[place : place + 4] == b"xref"
    assert sum(len(content) for content in contents.values()) < 10_000
    assert all(os.sep not in name or name.startswith("inner") for name in contents)
