"""Samples of kept findings, to be read by hand."""

import json
from pathlib import Path

import pytest

from scripts.fieldwork.sample import HEAD, as_tsv, draw, kept_findings
from scripts.fieldwork.toolrun import Note, keep_note


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """Return a folder with reports of two servers, ten findings of one rule each, and one of another."""
    for server in ("a", "b"):
        found = [
            {
                "ruleId": "fuzz/crash",
                "location": {"tool": f"t{number}"},
                "message": f"It\tended\x1b on call {number}.",
                "evidence": {"arguments": {"x": "\n" * 2_000}},
            }
            for number in range(10)
        ]
        path = tmp_path / f"{server}.json"
        path.write_text(json.dumps({"findings": [*found, {"ruleId": "fuzz/hang", "message": "m"}]}))
        keep_note(Note(server, "1.0"), path)
    (tmp_path / "c.json").write_text("{")
    return tmp_path


def test_a_seed_gives_the_same_rows(reports: Path) -> None:
    first = draw(kept_findings([reports], "fuzz/crash"), 7, 5)
    assert first == draw(kept_findings([reports], "fuzz/crash"), 7, 5)
    assert first != draw(kept_findings([reports], "fuzz/crash"), 8, 5)
    assert {row.rule for row in first} == {"fuzz/crash"}


def test_all_rules_and_more_than_there_are(reports: Path) -> None:
    assert len(draw(kept_findings([reports], "*"), 0, 99)) == 22
    assert draw(kept_findings([reports], "fuzz/none"), 0, 5) == []


def test_rows_have_their_columns_and_two_empty_ones(reports: Path) -> None:
    text = as_tsv(draw(kept_findings([reports], "*"), 0, 22))
    lines = [line.split("\t") for line in text.splitlines()]
    assert tuple(lines[0]) == HEAD
    assert {len(line) for line in lines} == {len(HEAD)}
    assert {tuple(line[-2:]) for line in lines[1:]} == {("", "")}
    assert "\x1b" not in text
    assert max(map(len, lines[1])) < 3_000
