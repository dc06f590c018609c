"""What the README says exists."""

import re
from pathlib import Path

import pytest

from mcp_doctor.cli import main
from mcp_doctor.registry import BREAKING, DECLARED

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


def test_the_table_of_rules_is_the_registry() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| (error|warning|info)(, not scored)? \|", README, re.MULTILINE)
    declared = [
        (one.rule.slug, one.rule.severity.value, "" if one.scored else ", not scored") for one in DECLARED
    ]
    assert rows == declared
    assert {f"doctor/{slug}" for slug, _, _ in rows[:3]} == BREAKING


def test_the_options_exist(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    known = set(re.findall(r"`(--[a-z-]+)", README.partition("## Not there yet")[0]))
    assert main(["--help"]) == 0
    shown = capfdbinary.readouterr().out.decode()
    assert {option for option in known if option not in shown} == set()
    missing = set(re.findall(r"`(--[a-z-]+)`", README.partition("## Not there yet")[2]))
    assert {option for option in missing if option in shown} == set()
