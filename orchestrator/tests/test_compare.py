import json
from pathlib import Path

import pytest

from mcp_check_core.report.json_format import dump_document
from mcp_trust_check.cli import main
from orchestrator.tests.made import WARNING, finding, merged, report, state, states

CRASH, INTERNAL = finding("fuzz/crash", "add"), finding("fuzz/internal-error", "get", severity=WARNING)
Capture = pytest.CaptureFixture[bytes]


@pytest.fixture
def reports(tmp_path: Path) -> tuple[str, str]:
    """Write a merged report with a crash, and a later one with an internal error in its place."""
    paths = tmp_path / "before.json", tmp_path / "after.json"
    for path, found in zip(paths, (CRASH, INTERNAL), strict=True):
        path.write_bytes(dump_document(merged(states(fuzz=state("fuzz", report("fuzz", [found]))))))
    return str(paths[0]), str(paths[1])


def test_new_and_resolved_findings_are_told(reports: tuple[str, str], capsysbinary: Capture) -> None:
    assert main(["diff", *reports]) == 0
    shown = capsysbinary.readouterr().out.decode()
    assert shown.startswith("1 new, 1 resolved, 0 changed, 0 held back, 0 not told, 0 unchanged\n")
    assert "New (1)\n  [warning] fuzz/internal-error  get\n" in shown
    assert "Resolved (1)\n  [error] fuzz/crash  add\n" in shown


def test_as_json(reports: tuple[str, str], capsysbinary: Capture) -> None:
    assert main(["diff", "--json", *reports]) == 0
    document = json.loads(capsysbinary.readouterr().out)
    assert [one["ruleId"] for one in document["new"]] == ["fuzz/internal-error"]
    assert [one["ruleId"] for one in document["resolved"]] == ["fuzz/crash"]


@pytest.mark.parametrize(("fail_on", "code"), [("error", 0), ("warning", 1), ("never", 0)])
def test_a_gate_on_what_is_new(reports: tuple[str, str], fail_on: str, code: int) -> None:
    assert main(["diff", "--fail-on", fail_on, *reports]) == code


def test_reports_of_tools_are_compared_too(tmp_path: Path, capsysbinary: Capture) -> None:
    for name, found in (("a", []), ("b", [CRASH])):
        (tmp_path / name).write_bytes(dump_document(report("fuzz", found)))
    assert main(["diff", str(tmp_path / "a"), str(tmp_path / "b")]) == 0
    assert b"1 new, 0 resolved" in capsysbinary.readouterr().out


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (None, "cannot read"),
        (b"{", "is no report"),
        (b"[]", "is no report"),
        (b"{}", "cannot compare the two"),
        (dump_document(report("guard")), "cannot compare the two"),
    ],
)
def test_what_is_no_report_is_one_line(
    reports: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    written: bytes | None,
    words: str,
) -> None:
    other = tmp_path / "other"
    if written is not None:
        other.write_bytes(written)
    assert main(["diff", reports[0], str(other)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert len(captured.err.splitlines()) == 1


def test_a_server_command_is_refused(reports: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *reports, "--", "python"]) == 2
    assert "starts no server" in capsys.readouterr().err
