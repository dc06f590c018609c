"""Rows and tables made of kept reports: what counts, what does not and why, and texts that are inert."""

from typing import Any

import pytest

from scripts.fieldwork.rows import Row, make_row
from scripts.fieldwork.table import HEAD, markdown_table, text_table, totals
from scripts.fieldwork.toolrun import Note

NOTE = Note("it", "1.0", 2.5)


def report(**fields: object) -> dict[str, Any]:
    """Return a report of mcp-fuzz in which three of four tools were judged."""
    base: dict[str, Any] = {
        "status": "fail",
        "score": {"value": 62.5},
        "coverage": {
            "toolsChecked": 3,
            "toolsTotal": 4,
            "skipped": [{"tool": "a", "reason": "not read-only"}],
        },
        "findings": [{"ruleId": "fuzz/crash", "severity": "error"}, {"ruleId": "x", "severity": "info"}],
        "details": {"calls": 17, "starts": 2},
        "limitsHit": [{"limit": "stderr bytes kept", "value": 1, "where": "x"}],
        "errors": [],
    }
    return {**base, **fields}


def test_a_run_that_counts() -> None:
    row = make_row(NOTE, report())
    assert (row.outcome, row.counted, row.score) == ("fail", True, 62.5)
    assert (row.calls, row.judged, row.tools, row.starts, row.seconds) == (17, 3, 4, 2, 2.5)
    assert row.findings == {"error": 1, "info": 1}
    assert row.skips == ("not read-only", "limit: stderr bytes kept")


def test_reasons_are_counted() -> None:
    skipped = [{"tool": name, "reason": "not read-only"} for name in "abc"]
    row = make_row(NOTE, report(coverage={"toolsChecked": 1, "toolsTotal": 4, "skipped": skipped}))
    assert row.skips[0] == "3 × not read-only"


def test_a_run_that_judged_nothing_is_not_counted() -> None:
    nothing = report(coverage={"toolsChecked": 0, "toolsTotal": 4, "skipped": []}, findings=[], status="pass")
    row = make_row(NOTE, nothing)
    assert (row.outcome, row.counted) == ("judged nothing", False)


def test_a_run_that_found_something_judged_something() -> None:
    coverage = {"toolsChecked": 0, "toolsTotal": 9, "skipped": []}
    row = make_row(NOTE, report(coverage=coverage))
    assert (row.outcome, row.counted, row.judged) == ("fail", True, 0)


def test_a_guard_that_saw_a_handshake_judged_something() -> None:
    coverage = {"toolsChecked": 0, "toolsTotal": 0, "runsInitialized": 1, "skipped": []}
    assert make_row(NOTE, report(coverage=coverage, findings=[])).counted


@pytest.mark.parametrize(
    "document",
    [
        {"findings": [{"ruleId": "core/no-connection", "severity": "error", "message": "it ended"}]},
        {"initialized": False, "findings": [{"ruleId": "guard/server-exited", "message": "it ended"}]},
    ],
)
def test_a_server_that_did_not_start(document: dict[str, Any]) -> None:
    row = make_row(NOTE, report(**document))
    assert (row.outcome, row.counted) == ("did not start", False)
    assert "it ended" in row.skips


def test_a_run_that_was_ended_is_cut_short_whatever_it_had_seen() -> None:
    stopped = [{"kind": "interrupted", "message": "stopped by SIGTERM"}]
    row = make_row(NOTE, report(errors=stopped, initialized=False, findings=[]))
    assert (row.outcome, row.counted) == ("cut short", False)
    assert "stopped by SIGTERM" in row.skips


def test_no_report_says_why() -> None:
    row = make_row(Note("it", "1.0", 1.0, "no report: exit code 1, Traceback"), None)
    assert (row.outcome, row.counted) == ("no report", False)
    assert row.skips == ("no report: exit code 1, Traceback",)


def test_the_orchestrator_is_read_through_its_tools_documents() -> None:
    whole = {"toolsChecked": 4, "toolsTotal": 4, "skipped": []}
    merged = {
        "decision": "BLOCK",
        "confidence": {"level": "HIGH"},
        "combined": {"value": None},
        "tools": {
            "guard": {"state": "complete", "document": report(details={"starts": 3}, coverage=whole)},
            "fuzz": {"state": "complete", "document": report()},
            "lint": {"state": "not_in_this_version", "reason": "not in this version", "document": None},
        },
    }
    row = make_row(NOTE, merged)
    assert (row.outcome, row.counted, row.score) == ("BLOCK HIGH", True, None)
    assert (row.calls, row.starts, row.judged, row.tools) == (17, 5, 3, 4)
    assert row.findings == {"error": 2, "info": 2}
    assert "lint: not in this version" in row.skips


def test_totals_leave_out_what_does_not_count() -> None:
    counted = make_row(NOTE, report())
    others = [Row("b", "1", "did not start", calls=99), Row("c", "1", "not installed")]
    lines = totals([counted, counted, *others])
    assert lines[0] == "servers: 4; counted as run: 2; not counted: 1 did not start, 1 not installed"
    assert "calls made 34" in lines[1]
    assert "tools judged 6 of 8" in lines[1]
    assert lines[1].endswith("findings 2 error, 0 warning, 2 info")


HOSTILE = "\x1b[31m @team | <img src=x> [a](javascript:1) \u202e" + "x" * 10_000


def test_what_a_server_says_is_inert_and_short() -> None:
    rows = [make_row(NOTE, report(errors=[{"kind": "internal", "message": HOSTILE}]))] * 3
    for text in (text_table(rows), markdown_table(rows)):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert len(text) < 6_000
    (line,) = {line for line in markdown_table(rows).splitlines() if line.startswith("| it")}
    assert line.count("|") == len(HEAD) + 1
    assert "@team" not in line
    assert "<img" not in line


def test_columns_stand_under_their_heads() -> None:
    lines = text_table(
        [make_row(NOTE, report()), Row("a-much-longer-name", "1", "not installed")]
    ).splitlines()
    at = lines[0].index("outcome")
    assert lines[1][at:].startswith("fail")
    assert lines[2][at:].startswith("not installed")
