"""The servers of the zoo in which a call shows the defect: the rules listed alone, none on the twins."""

import tomllib
from importlib.util import find_spec
from typing import Any

import pytest

from .conftest import ZOO, Fuzz, found

PAIRS: list[dict[str, Any]] = tomllib.loads((ZOO / "manifest.toml").read_text("utf-8"))["pair"]
SHOWN = [pair for pair in PAIRS if pair["planted"]["fuzz"]]
LIMITS = ("--startup-timeout", "10s")


def options_of(pair: dict[str, Any]) -> list[str]:
    """Give the options of a pair, with shorter limits for servers that start at once and do not answer."""
    if pair["name"] in ("pretty_printed", "initialize_unanswered"):
        return ["--startup-timeout", "1s"]
    if pair["frame"] == "stdlib" and "--timeout" in pair["options"]:
        return [*LIMITS, "--timeout", "300ms"]
    return [*LIMITS, *pair["options"]]


def skip_without_sdk(pair: dict[str, Any]) -> None:
    if pair["frame"] == "sdk" and find_spec("mcp") is None:
        pytest.skip("needs the Python package mcp")


@pytest.mark.parametrize("pair", SHOWN, ids=lambda pair: pair["name"])
def test_the_planted_server(pair: dict[str, Any], fuzz: Fuzz) -> None:
    skip_without_sdk(pair)
    incomplete = pair["name"] == "exit_after_initialize"
    report = fuzz(f"{pair['name']}.py", *options_of(pair), code=2 if incomplete else 0)
    assert found(report) == set(pair["planted"]["fuzz"])


@pytest.mark.parametrize("pair", SHOWN, ids=lambda pair: pair["name"])
def test_the_fixed_twin(pair: dict[str, Any], fuzz: Fuzz) -> None:
    skip_without_sdk(pair)
    report = fuzz(f"{pair['name']}.py", *LIMITS, server_options=("--fixed",))
    assert found(report, info=True) == set()
    assert report["status"] == "pass"
    assert report["score"]["value"] == 100.0
    assert report["details"]["starts"] == 1
