"""The name of a case says what it is."""

from pathlib import Path

import pytest

from tests.rules.examples import read_case


@pytest.mark.parametrize(
    ("name", "section", "info", "kind"),
    [
        ("fires-at-once.server.py", "Bad", "python server", "server"),
        ("silent-empty.tools.json", "Good", "json tools", "tools"),
        ("silent-late.wire.jsonl", "Good", "jsonl wire", "wire"),
        ("fires-in-a-loop.source.cs", "Bad", "c# source", "source"),
    ],
)
def test_the_name_of_a_case_says_what_it_is(
    name: str, section: str, info: str, kind: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text("[]", "utf-8")
    block = read_case(tmp_path / name)
    assert (block.section, block.info, block.kind, block.text) == (section, info, kind, "[]")


@pytest.mark.parametrize("name", ["fires.py", "works-always.server.py", "silent-x.source.cobol", "README.md"])
def test_other_files_are_no_cases(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("", "utf-8")
    with pytest.raises(ValueError, match="is no name of a case"):
        read_case(tmp_path / name)
