"""Each example of each rule is run: the bad ones fire it, the good ones do not."""

from pathlib import Path

import pytest

from tests.rules.examples import Example, examples, fired_by, read_case


@pytest.mark.parametrize("example", list(examples()), ids=lambda example: example.label)
def test_example(example: Example, tmp_path: Path) -> None:
    found = fired_by(example.tool)(example.rule, example.block, tmp_path)
    if example.fires:
        assert example.rule.id in found, f"{example.rule.id} does not fire on its example, {sorted(found)} do"
    elif example.alone:
        assert found == set()
    else:
        assert example.rule.id not in found


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
