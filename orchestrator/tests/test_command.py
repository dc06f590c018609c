"""The command as a person runs it, with the real tools and real servers."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from mcp_check_core.report.schema import validate, without_volatile
from mcp_trust_check.cli import main
from mcp_trust_check.package_files import read_schema

SERVERS = Path(__file__).parents[2] / "tests" / "servers"
PLANTED, FIXED = SERVERS / "demo" / "planted.py", SERVERS / "demo" / "fixed.py"
COMMAND = (sys.executable, "-P", "-m", "mcp_trust_check")
CI = {"CI": "true"}


def trust(*words: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    surroundings = {name: value for name, value in os.environ.items() if name != "CI"} | dict(env or {})
    return subprocess.run(
        [*COMMAND, *words], capture_output=True, text=True, timeout=60, env=surroundings, check=False
    )


def checked(*words: str) -> dict[str, Any]:
    done = trust("--json", *words)
    document: dict[str, Any] = json.loads(done.stdout)
    assert validate(document, read_schema("mcp_trust_check")) == []
    assert document["gate"]["exitCode"] == done.returncode
    assert done.stderr == ""
    return document


def running(mark: str) -> list[str]:
    """Return the command lines that hold a mark, and are not the command itself."""
    found = []
    for process in psutil.process_iter():
        try:
            line = " ".join(process.cmdline())
            if mark in line and process.status() != psutil.STATUS_ZOMBIE:
                found.append(line)
        except psutil.Error:
            continue
    return found


def gone(mark: str, seconds: float) -> bool:
    """Wait until nothing with the mark runs."""
    deadline = time.monotonic() + seconds
    while running(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not running(mark)


def test_the_planted_server_is_blocked_and_each_reason_can_be_read() -> None:
    document = checked("--", sys.executable, str(PLANTED))

    assert document["decision"] == "BLOCK"
    assert document["confidence"]["level"] == "HIGH"
    assert {reason["rule"] for reason in document["reasons"]} == {
        "stdout-not-protocol",
        "server-died",
        "calls-fail",
        "other-error",
    }
    assert {tool["state"] for tool in document["tools"].values()} == {"complete", "not_in_this_version"}
    assert document["target"]["server"]["name"] == "bookmarks"


def test_the_mended_server_ships() -> None:
    document = checked("--", sys.executable, str(FIXED))

    assert document["decision"] == "SHIP"
    assert document["reasons"] == []
    assert document["findings"] == []
    assert document["combined"] == {
        "value": 100.0,
        "grade": "A",
        "over": ["guard", "fuzz"],
        "without": [
            {"tool": name, "reason": "not in this version"} for name in ("doctor", "lint", "reality")
        ],
        "partialScore": None,
    }
    assert document["confidence"] == {
        "level": "MEDIUM",
        "reasons": ["doctor, lint, reality: not in this version"],
    }


def test_two_runs_are_equal_apart_from_what_the_schema_calls_volatile() -> None:
    schema = read_schema("mcp_trust_check")
    first, second = (checked("--", sys.executable, str(PLANTED)) for _ in range(2))

    assert without_volatile(first, schema) == without_volatile(second, schema)


def test_the_gate_fails_the_command() -> None:
    done = trust("--fail-on", "block", "--", sys.executable, str(PLANTED))

    assert done.returncode == 1
    assert done.stdout.startswith("BLOCK  mcp-trust-check")
    assert "--fail-on is block; exit code 1" in done.stdout


def test_a_server_that_does_not_start_is_a_result() -> None:
    document = checked("--", sys.executable, "-c", "raise SystemExit(3)")

    assert document["decision"] == "BLOCK"
    assert "never-connected" in {reason["rule"] for reason in document["reasons"]}
    assert document["gate"]["exitCode"] == 0


def test_all_outputs_are_written(tmp_path: Path) -> None:
    folder, page, merged = tmp_path / "reports", tmp_path / "page.md", tmp_path / "merged.json"
    words = ("--reports-dir", str(folder), "--output", f"markdown={page}", "--json-out", str(merged))
    done = trust(*words, "--only", "guard", "--", sys.executable, str(FIXED))

    assert done.returncode == 0
    assert json.loads((folder / "guard.json").read_text())["tool"]["name"] == "mcp-stdio-guard"
    assert not (folder / "fuzz.json").exists()
    assert page.read_text().startswith("### SHIP · confidence LOW")
    assert json.loads(merged.read_text())["tools"]["fuzz"]["state"] == "skipped"
    assert "fuzz: left out by --only or --skip" in done.stdout


def test_progress_goes_to_stderr_in_plain_lines_in_ci() -> None:
    done = trust("--only", "guard", "--", sys.executable, str(FIXED), env=CI)

    assert done.stderr.splitlines() == ["guard: running", "guard: done, 0 findings"]


def test_a_variable_reaches_the_server_and_no_output(tmp_path: Path) -> None:
    secret = "canary-5f2e91c7"
    telling = (sys.executable, "-c", "import os; print(os.environ['MCP_CANARY'])")
    page = tmp_path / "page.md"
    done = trust("--env", f"MCP_CANARY={secret}", "--json", "--output", f"markdown={page}", "--", *telling)

    assert "[redacted:MCP_CANARY]" in done.stdout
    assert "redacted" in page.read_text()
    assert secret not in done.stdout + done.stderr + page.read_text()


def both_ask(mark: str) -> bool:
    """Wait until the server runs twice; it tells nobody, so look."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if sum("mcp_" not in line for line in running(mark)) == 2:
            return True
        time.sleep(0.02)
    return False


@contextmanager
def started(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a check of a server that never answers; yield once both tools have started it."""
    for name in ("mini.py", "initialize_unanswered.py"):
        shutil.copy(SERVERS / name, tmp_path)
    words = ("--json", "--", sys.executable, str(tmp_path / "initialize_unanswered.py"))
    process = subprocess.Popen(
        [*COMMAND, "--jobs", "2", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **CI},
    )
    try:
        assert process.stderr is not None
        assert {process.stderr.readline() for _ in range(2)} == {"guard: running\n", "fuzz: running\n"}
        assert both_ask(str(tmp_path))
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_all_and_still_reports(number: signal.Signals, tmp_path: Path) -> None:
    with started(tmp_path) as process:
        began = time.monotonic()
        process.send_signal(number)
        printed, _ = process.communicate(timeout=10)

        assert time.monotonic() - began < 4
        assert process.returncode == 130
        document = json.loads(printed)
        assert validate(document, read_schema("mcp_trust_check")) == []
        assert document["interrupted"] == f"stopped by {number.name}"
        assert document["tools"]["fuzz"]["state"] == "incomplete"
        assert document["tools"]["fuzz"]["document"]["errors"][0]["kind"] == "interrupted"
        assert gone(str(tmp_path), 0.5)


def test_a_second_interrupt_does_not_wait_for_the_tools(tmp_path: Path) -> None:
    with started(tmp_path) as process:
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        printed, _ = process.communicate(timeout=10)

        assert process.returncode == 130
        assert json.loads(printed)["interrupted"].startswith("stopped by SIG")
        assert gone(str(tmp_path), 2)


def test_nothing_lives_on_after_we_are_killed(tmp_path: Path) -> None:
    with started(tmp_path) as process:
        process.kill()

        assert gone(str(tmp_path), 8)


USAGE = [
    ([], "no server given, and this version has no tool that reads source alone"),
    (["--"], "no server given"),
    (["--", "/no/such/program"], "no such command"),
    (["--url", "http://127.0.0.1:1/mcp"], "this version checks servers over stdio alone"),
    (
        ["--url", "http://127.0.0.1:1/mcp", "--", "ls"],
        "give the server's command after -- or --url, not both",
    ),
    (["--frobnicate", "--", "ls"], "No such option"),
    (["--fail-on", "error", "--", "ls"], "Invalid value for '--fail-on'"),
    (["--cwd", "/no/such/folder", "--", "ls"], "--cwd: there is no folder"),
    (["--json-out", "/no/such/folder/x", "--", "ls"], "there is no folder '/no/such/folder'"),
    (["--reports-dir", "/no/such/folder/x", "--", "ls"], "--reports-dir: cannot make '/no/such/folder/x'"),
    (["explain", "fuzz/crashh"], "there is no rule 'fuzz/crashh'; near to it: fuzz/crash"),
    (["schema", "nothing"], "there is no tool 'nothing'"),
]


@pytest.mark.parametrize(("words", "message"), USAGE)
def test_what_cannot_be_done_is_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(words)
    said = capsys.readouterr()

    assert code == 2
    assert said.out == ""
    assert message in said.err
    assert said.err.count("\n") == 1


def test_explain_finds_the_page_in_whichever_tool(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["explain", "stdout-non-json"]) == 0
    assert main(["explain", "fuzz/crash"]) == 0
    assert main(["explain", "server-died"]) == 0
    shown = capsysbinary.readouterr().out.decode()

    assert "# guard/stdout-non-json: A line on stdout is not JSON\n\nSeverity error" in shown
    assert "# fuzz/crash: A call ends the server" in shown
    assert "A rule of the decision: BLOCK where the server died on a request." in shown


@pytest.mark.parametrize(
    ("words", "title"),
    [([], "Merged report"), (["guard"], "Report of mcp-stdio-guard"), (["mcp-fuzz"], "Report of mcp-fuzz")],
)
def test_schema_prints_that_of_the_merged_report_or_of_a_tool(
    words: list[str], title: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["schema", *words]) == 0
    assert json.loads(capsysbinary.readouterr().out)["title"].startswith(title)


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys; from mcp_trust_check.cli import main; main(['--help']); "
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())

    assert "mcp_trust_check.cli" in loaded
    assert not loaded & {
        "anyio",
        "asyncio",
        "psutil",
        "orjson",
        "jsonschema_rs",
        "mcp",
        "mcp_trust_check.check",
    }


def test_explain_and_schema_run_no_code_of_a_tool() -> None:
    script = (
        "import sys; from mcp_trust_check.cli import main; main(['explain', 'stdout-non-json']); "
        "main(['schema', 'guard']); print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)

    assert not [name for name in done.stderr.split() if name.startswith(("mcp_stdio_guard", "mcp_fuzz"))]
