"""What the README says of arguments works as it stands."""

import re
from pathlib import Path

import pytest

from mcp_check_core.inputs.fixtures import read_fixtures

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    found = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    assert found
    return found


def test_the_program_prints_the_variants(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = blocks("python")
    exec(compile(program, "README.md", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert "maximum outside" in "\n".join(line for line in lines if "'days': 8" in line)
    assert len(lines) > 5


def test_the_fixtures_can_be_read() -> None:
    (document,) = blocks("json")
    assert [probe.tool for probe in read_fixtures(document.encode()).probes] == ["read_file", "fetch"]
