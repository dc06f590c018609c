"""Suppressions and baselines in each command: what is held back fires nothing and is counted."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.end_to_end.running import Ran, run, zoo

COMMANDS = ("mcp-trust-check", "mcp-fuzz", "mcp-stdio-guard")
RULE = {
    "mcp-trust-check": "fuzz/crash",
    "mcp-fuzz": "fuzz/crash",
    "mcp-stdio-guard": "guard/stdout-non-json",
}
GATE = {"mcp-trust-check": ("--fail-on", "fix"), "mcp-fuzz": ("--fail-on", "error"), "mcp-stdio-guard": ()}
CHECKED = ("--", *zoo("demo/planted.py"))


def entry(rule: str, *more: str) -> str:
    return "\n".join(["[[suppress]]", f'rule = "{rule}"', 'reason = "It is known."', *more]) + "\n"


def check(program: str, folder: Path, *options: str) -> tuple[Ran, dict[str, Any]]:
    ran = run(
        program, "--json-out", str(folder / "report.json"), *GATE[program], *options, *CHECKED, cwd=folder
    )
    document: dict[str, Any] = orjson.loads((folder / "report.json").read_bytes())
    assert ran.left == ()
    return ran, document


def rules(items: list[dict[str, Any]]) -> set[str]:
    return {item["ruleId"] for item in items}


@pytest.mark.parametrize("program", COMMANDS)
def test_a_suppression_of_this_folder_holds_back(program: str, tmp_path: Path) -> None:
    rule = RULE[program]
    (tmp_path / "mcp-trust.toml").write_text(entry(rule), "utf-8")
    ran, document = check(program, tmp_path)
    assert rules(document["suppressed"]) == {rule}
    assert rule not in rules(document["findings"])
    assert document["suppressed"][0]["reason"] == "It is known."
    assert (ran.code, ran.stderr) == (1, "")
    _, document = check(program, tmp_path, "--no-config")
    assert document["suppressed"] == []
    assert rule in rules(document["findings"])


@pytest.mark.parametrize("program", COMMANDS)
def test_a_baseline_holds_back_what_was_there(program: str, tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.json"
    ran, before = check(program, tmp_path, "--write-baseline", str(baseline))
    assert (ran.code, ran.stderr) == (1, "")
    ran, after = check(program, tmp_path, "--baseline", str(baseline), "--strict-suppressions")
    assert (ran.code, ran.stderr) == (0, "")
    assert after["findings"] == []
    assert rules(after["suppressed"]) == rules(before["findings"]) != set()
    if program == "mcp-trust-check":
        assert after["decision"] == "SHIP"
        assert "suppressed" in ran.text
    else:
        assert after["status"] == "pass"


def test_guard_s_own_contract_leaves_out_what_is_held_back(tmp_path: Path) -> None:
    check("mcp-stdio-guard", tmp_path, "--write-baseline", str(tmp_path / "baseline.json"))
    _, document = check("mcp-stdio-guard", tmp_path, "--baseline", str(tmp_path / "baseline.json"))
    assert document["issues"] == []
    assert document["summary"]["display"] == "verified"
    assert document["score"]["value"] == 100.0


@pytest.mark.parametrize("program", COMMANDS)
def test_an_entry_of_no_use_is_told_and_fails_where_that_is_asked_for(program: str, tmp_path: Path) -> None:
    config = tmp_path / "held.toml"
    config.write_text(entry(RULE[program], "until = 2026-01-01"), "utf-8")
    ran, document = check(program, tmp_path, "--config", str(config))
    assert document["suppressed"] == []
    assert "expired on 2026-01-01" in ran.stderr
    assert ran.code == 1
    ran, _ = check(program, tmp_path, "--config", str(config), "--strict-suppressions")
    assert ran.code == 2
    assert "--strict-suppressions: 1 entry is expired or of no use" in ran.stderr


@pytest.mark.parametrize("program", COMMANDS)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (entry("guard/no-such-rule").replace("guard", "{short}"), "there is no rule"),
        (entry("core/no-connection").replace("reason", "because"), "unknown key 'because'"),
        ("[[suppress]]\nrule = ", "is not TOML"),
    ],
)
def test_a_broken_file_is_one_line_and_nothing_starts(
    program: str, text: str, words: str, tmp_path: Path
) -> None:
    short = RULE[program].partition("/")[0]
    (tmp_path / "mcp-trust.toml").write_text(text.replace("{short}", short), "utf-8")
    ran = run(program, *CHECKED, cwd=tmp_path)
    assert (ran.code, ran.stdout) == (2, b"")
    assert words in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_an_entry_for_a_tool_that_is_left_out_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "mcp-trust.toml").write_text(entry("fuzz/crash") + entry("lint/S8"), "utf-8")
    ran = run("mcp-trust-check", "--only", "guard", *CHECKED, cwd=tmp_path)
    assert (ran.code, ran.stderr) == (0, "")
