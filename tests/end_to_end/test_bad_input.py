"""Bad input: one clear line on stderr, exit code 2, no traceback, nothing started, nothing half-written."""

import sys
from pathlib import Path

import pytest

from tests.end_to_end.running import run, zoo

COMMANDS = ("mcp-trust-check", "mcp-fuzz", "mcp-stdio-guard")
GOOD = zoo("demo/fixed.py")

CASES = {
    "unknown option": (["--nope", "--", *GOOD], "--nope"),
    "unknown word": (["frobnicate", "--", *GOOD], "frobnicate"),
    "no server": ([], "no server given"),
    "nothing behind the dashes": (["--"], "no server given"),
    "command and URL": (["--url", "http://127.0.0.1:9/mcp", "--", *GOOD], "not both"),
    "no such folder": (["--cwd", "no/such/folder", "--", *GOOD], "no/such/folder"),
    "cwd is a file": (["--cwd", __file__, "--", *GOOD], "--cwd"),
    "bad duration": (["--timeout", "soon", "--", *GOOD], "soon"),
    "zero duration": (["--timeout", "0", "--", *GOOD], "--timeout"),
    "bad pair": (["--env", "JUSTANAME", "--", *GOOD], "--env"),
    "variable that is not set": (["--pass-env", "SURELY_NOT_SET_ANYWHERE", "--", *GOOD], "SURELY_NOT_SET"),
    "variable given twice": (["--env", "A=1", "--env", "A=2", "--", *GOOD], "'A'"),
    "bad severity": (["--fail-on", "sometimes", "--", *GOOD], "sometimes"),
    "bad score": (["--fail-under", "101", "--", *GOOD], "--fail-under"),
    "bad form": (["--format", "papyrus", "--", *GOOD], "papyrus"),
    "bad output": (["--output", "papyrus=x", "--", *GOOD], "papyrus"),
    "output in no folder": (["--output", "json=no/such/folder/r.json", "--", *GOOD], "no/such/folder"),
    "bad memory": (["--max-memory", "lots", "--", *GOOD], "lots"),
    "no such rule": (["explain", "no/such-rule"], "no/such-rule"),
}


@pytest.mark.parametrize("program", COMMANDS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.replace(" ", "-"))
def test_usage(program: str, case: str, tmp_path: Path) -> None:
    arguments, named = CASES[case]
    ran = run(program, *arguments, cwd=tmp_path)
    assert ran.code == 2
    assert ran.stdout == b""
    assert len(ran.stderr.splitlines()) == 1, ran.stderr
    assert ran.stderr.startswith(f"{program}: error: ")
    assert named in ran.stderr
    assert list(tmp_path.iterdir()) == []
    assert ran.left == ()


@pytest.mark.parametrize("program", ["mcp-trust-check", "mcp-fuzz"])
@pytest.mark.parametrize("command", ["no-such-program-anywhere", "./no/such/file", "/", __file__])
def test_no_such_command(program: str, command: str) -> None:
    ran = run(program, "--", command)
    assert (ran.code, ran.stdout) == (2, b"")
    assert len(ran.stderr.splitlines()) == 1
    assert "no such command" in ran.stderr


def test_guard_reports_a_command_that_does_not_start() -> None:
    ran = run("mcp-stdio-guard", "--json", "--", "no-such-program-anywhere")
    assert ran.code == 1
    assert [finding["ruleId"] for finding in ran.document["findings"]] == ["guard/spawn-failed"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("program", COMMANDS)
def test_help_and_version(program: str) -> None:
    helped = run(program, "--help")
    assert helped.code == 0
    assert program in helped.text
    assert run(program, "--version").text.startswith(f"{program} 2.")
    assert sys.version_info >= (3, 11)
