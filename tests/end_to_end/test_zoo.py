"""Each server of the zoo is judged as its row says, by these rules and no others; its twin is silent."""

import sys
import tomllib
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.end_to_end.running import SERVERS, run, zoo

PAIRS: list[dict[str, Any]] = tomllib.loads((SERVERS / "manifest.toml").read_text(encoding="utf-8"))["pair"]
ROWS = [
    pytest.param(pair, kind, id=f"{pair['name']}-{kind}") for pair in PAIRS for kind in ("planted", "fixed")
]
REALITY_ROWS = [row for row in ROWS if "reality" in row.values[0][row.values[1]]]  # type: ignore[index]
TOOLS = ("guard", "fuzz")


def rules(document: dict[str, Any]) -> set[str]:
    """Give the rules of the findings at warning or error, with `@tool` where a finding names one."""
    return {
        finding["ruleId"] + (f"@{tool}" if (tool := finding.get("location", {}).get("tool")) else "")
        for finding in document["findings"]
        if finding["severity"] != "info"
    }


def loosely(found: set[str], wanted: list[str]) -> set[str]:
    """Drop `@tool` from what was found where the row does not name a tool."""
    bare = {rule for rule in wanted if "@" not in rule}
    return {rule.partition("@")[0] if rule.partition("@")[0] in bare else rule for rule in found}


@pytest.mark.parametrize(("pair", "kind"), ROWS)
def test_verdict(pair: dict[str, Any], kind: str, tmp_path: Path) -> None:
    expected = pair[kind]
    command = zoo(f"{pair['name']}.py", fixed=kind == "fixed")
    ran = run(
        "mcp-trust-check",
        "--json",
        "--reports-dir",
        str(tmp_path),
        *pair["options"],
        "--",
        *command,
        limit=90,
    )
    merged = ran.document
    documents = {tool: orjson.loads((tmp_path / f"{tool}.json").read_bytes()) for tool in TOOLS}
    found = {tool: loosely(rules(documents[tool]), expected[tool]) for tool in TOOLS}
    assert found == {tool: set(expected[tool]) for tool in TOOLS}
    assert merged["decision"] == expected["decision"], merged["reasons"]
    assert ran.code == 0
    assert ran.left == ()


@pytest.mark.parametrize(("pair", "kind"), REALITY_ROWS)
def test_what_reality_finds(pair: dict[str, Any], kind: str) -> None:
    """The tool alone: rows with `reality` say what it finds."""
    command = zoo(f"{pair['name']}.py", fixed=kind == "fixed")
    ran = run("mcp-reality-check", "--json", *pair["options"], "--", *command, limit=90)
    assert loosely(rules(ran.document), pair[kind]["reality"]) == set(pair[kind]["reality"])
    assert ran.document["status"] != "incomplete", ran.document["errors"]
    assert kind == "planted" or ran.document["findings"] == []
    assert ran.code == 0
    assert ran.left == ()


def test_the_zoo_is_large_enough() -> None:
    assert len(PAIRS) >= 20
    assert {pair["frame"] for pair in PAIRS} == {"stdlib", "sdk"}
    assert len({pair["name"] for pair in PAIRS}) == len(PAIRS)
    assert sys.version_info >= (3, 11)
