"""What is missing around a server is told from what is wrong with it, by the samples beside each wording."""

import time
import tomllib
from importlib.resources import files
from typing import Any

import pytest

from mcp_check_core.judges.environment import EnvironmentKind, judge_environment

PATTERNS: list[dict[str, Any]] = tomllib.loads(
    files("mcp_check_core.judges").joinpath("data/environment.toml").read_text("utf-8")
)["pattern"]
MATCHES = [(entry, text) for entry in PATTERNS for text in entry["match"]]
MISSES = [text for entry in PATTERNS for text in entry["miss"]]
DEFECTS = [
    "ENOENT: no such file or directory, scandir '/home/user/.cache/own'",
    "Cannot read properties of undefined (reading 'map')",
    "Error executing tool play",
    "Invalid arguments for web search",
    "Input validation error: 'token' is a required property",
    "1 validation error for search\nurl\n  Field required [type=missing]",
    "database disk image is malformed",
    "There is no bookmark 401k",
    "",
]


@pytest.mark.parametrize(("entry", "text"), MATCHES, ids=lambda value: str(value)[:40])
def test_each_wording_finds_its_samples(entry: dict[str, Any], text: str) -> None:
    sign = judge_environment(text)
    assert sign is not None
    assert sign.kind == entry["kind"]
    assert sign.excerpt


@pytest.mark.parametrize("text", [*MISSES, *DEFECTS])
def test_other_errors_are_no_want_of_anything(text: str) -> None:
    assert judge_environment(text) is None


def test_every_kind_has_wordings_and_a_name_in_sentences() -> None:
    assert {entry["kind"] for entry in PATTERNS} == set(EnvironmentKind)
    assert all(kind.wanted for kind in EnvironmentKind)
    assert len({entry["id"] for entry in PATTERNS}) == len(PATTERNS)


def test_the_excerpt_is_bounded_and_holds_the_sign() -> None:
    sign = judge_environment("x" * 5_000 + " connect ECONNREFUSED 127.0.0.1:1 " + "y" * 5_000)
    assert sign is not None
    assert "ECONNREFUSED" in sign.excerpt
    assert len(sign.excerpt) < 200


def test_what_comes_late_in_a_text_is_not_read() -> None:
    assert judge_environment("x" * 30_000 + " ECONNREFUSED") is None


@pytest.mark.parametrize(
    "piece", ["a", "a.", "spawn ", "no ", "please check ", "API_", "missing a ", "\n", "4"]
)
def test_reading_a_megabyte_takes_no_time(piece: str) -> None:
    began = time.process_time()
    judge_environment(piece * (1_000_000 // len(piece)))
    assert time.process_time() - began < 0.5
