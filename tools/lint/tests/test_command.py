"""The first release of `mcp-lint` says plainly that it checks nothing."""

import subprocess
import sys

import pytest

from mcp_lint._version import __version__


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mcp_lint", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def test_help_says_that_there_are_no_checks_yet() -> None:
    result = run("--help")
    assert result.returncode == 0
    assert result.stdout.startswith("Usage: mcp-lint ")
    assert "has no checks yet" in result.stdout
    assert result.stderr == ""


def test_version_is_the_version_of_the_distribution() -> None:
    result = run("--version")
    assert (result.returncode, result.stdout, result.stderr) == (0, f"mcp-lint {__version__}\n", "")


@pytest.mark.parametrize(
    "words",
    [(), (".",), ("--json", "."), ("--", "python", "server.py"), ("--json", "--", "server", "--help")],
)
def test_a_target_is_not_checked_and_never_passes(words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == f"mcp-lint {__version__} has no checks yet; nothing was checked.\n"
