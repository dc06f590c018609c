"""The command itself: help, version, errors of use, gates, what is written where."""

import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from mcp_check_core.report.rule_file import rules_difference
from mcp_check_core.report.schema import schema_difference
from mcp_reality_check._version import __version__
from mcp_reality_check.cli import main
from mcp_reality_check.registry import RULES
from mcp_reality_check.report_schema import report_schema

from .conftest import ZOO


def command(name: str, *words: str) -> list[str]:
    return [sys.executable, str(ZOO / name), *words]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "mcp_reality_check", *words]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)


def test_version_is_the_version_of_the_distribution() -> None:
    result = run("--version")
    assert result.returncode == 0
    assert __version__ in result.stdout
    assert result.stderr == ""


def test_help_names_the_options_of_this_tool() -> None:
    result = run("--help")
    assert result.returncode == 0
    for option in ("--fixtures", "--include-destructive", "--tool", "--exclude", "--seed", "--url"):
        assert option in result.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "no server given"),
        (("--", "no-such-program-anywhere"), "not on the PATH"),
        (("--no-such-option",), "--no-such-option"),
        (("--fixtures", "no-such-file.json", "--", sys.executable), "--fixtures: no-such-file.json"),
        (("--url", "http://127.0.0.1:1/", "--", sys.executable), "not both"),
    ],
)
def test_an_error_of_use_is_one_line_and_exit_code_2(words: tuple[str, ...], says: str) -> None:
    result = run(*words)
    assert result.returncode == 2
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_a_file_of_probes_that_is_wrong_is_told_with_its_place(tmp_path: Path) -> None:
    probes = tmp_path / "probes.json"
    probes.write_text('{"version": 1, "probes": [{"tool": "x", "arg": {}}]}', "utf-8")
    result = run("--fixtures", str(probes), "--", *command("mini_demo.py"))
    assert result.returncode == 2
    assert "/probes/0: the key 'arg' is not known" in result.stderr


def test_committed_schema_and_rules_are_those_that_are_made() -> None:
    folder = files("mcp_reality_check")
    assert schema_difference(folder.joinpath("schema.json").read_text("utf-8"), report_schema()) == ""
    assert rules_difference(folder.joinpath("rules.json").read_text("utf-8"), RULES) == ""


def test_findings_fail_the_command_only_where_asked(tmp_path: Path) -> None:
    server = command("error_as_text.py")
    out = tmp_path / "report.json"
    assert main(["--json-out", str(out), "--", *server]) == 0
    assert main(["--fail-on", "error", "--", *server]) == 1
    assert main(["--fail-under", "100", "--", *server]) == 1
    assert main(["--fail-on", "error", "--fail-under", "100", "--", *server, "--fixed"]) == 0
    assert json.loads(out.read_text("utf-8"))["status"] == "fail"


def test_a_null_score_fails_a_gate_on_it() -> None:
    server = command("hang_on_one_tool.py", "--fixed")
    assert main(["--exclude", "*", "--fail-under", "1", "--", *server]) == 1


def test_every_format_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    server = command("error_as_text.py")
    for form in ("json", "sarif", "junit", "markdown", "github", "html", "agent"):
        assert main(["--format", form, "--", *server]) == 0
        assert "error-as-success" in capsys.readouterr().out, form
