"""Runs of the command: order, harvested ids, fixtures, choice of tools, limits, servers that end or hang."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_reality_check.cli import main
from mcp_reality_check.registry import ANSWER_RULES

from .conftest import ZOO, Reality, found, outcome

READER = """
import json

class Notes(mini.Server):
    def call(self, tool, arguments):
        LOG.append((tool.name, arguments))
        return super().call(tool, arguments)

LOG = []
NOTES = {"41-apple": "buy apples", "42-pear": "buy pears"}

def get(arguments):
    return NOTES.get(arguments["id"]) or json.dumps(LOG)

ID = {"id": {"type": "string", "description": "The id."}}
GET = mini.Tool("get_note", "Return a note.", get, ID, ("id",))
LIST = mini.Tool("list_notes", "List all.", lambda _: json.dumps([{"id": name} for name in NOTES]))
"""
DELETE = """
def delete(arguments):
    return "deleted " + arguments["id"]

DELETE = mini.Tool("delete_note", "Delete a note.", delete, ID, ("id",), {"annotations": {}})
"""
HANGS = """
import time
def slow(arguments):
    time.sleep(30)
SLOW = mini.Tool("get_slow", "Return late.", slow)
mini.Server(SLOW, mini.GREET).run()
"""


def sources(report: dict[str, Any], tool: str) -> dict[str, str]:
    (row, *_) = [row for row in report["details"]["inputs"] if row["tool"] == tool]
    return dict(row["sources"])


def test_tools_that_list_come_first_and_give_ids(reality: Reality) -> None:
    report = reality(READER + "Notes(GET, LIST).run()")
    assert [row["tool"] for row in report["details"]["inputs"]][:2] == ["list_notes", "get_note"]
    assert sources(report, "get_note") == {"/id": "harvested: id from list_notes (JSON text)"}
    assert report["status"] == "pass"
    assert report["score"]["value"] == 100.0


def test_only_reading_tools_are_called(reality: Reality) -> None:
    report = reality(READER + DELETE + "Notes(GET, LIST, DELETE).run()")
    assert [row["tool"] for row in report["details"]["outcomes"]] == ["list_notes", "get_note"]
    (skipped,) = report["coverage"]["skipped"]
    assert skipped["tool"] == "delete_note"
    assert "readOnlyHint" in skipped["reason"]


def test_all_are_called_where_asked_and_what_deletes_last(reality: Reality) -> None:
    report = reality(READER + DELETE + "Notes(DELETE, GET, LIST).run()", "--include-destructive")
    assert [row["tool"] for row in report["details"]["outcomes"]] == ["list_notes", "get_note", "delete_note"]
    cases = [row["case"] for row in report["details"]["inputs"] if row["tool"] == "delete_note"]
    assert cases == ["realistic"]


def test_tools_are_chosen_by_globs(reality: Reality) -> None:
    report = reality(READER + "Notes(GET, LIST).run()", "--tool", "*note*", "--exclude", "list_*")
    assert [row["tool"] for row in report["details"]["outcomes"]] == ["get_note"]
    assert [item["reason"] for item in report["coverage"]["skipped"]] == ["--exclude leaves it out"]


def test_nothing_to_judge_is_no_score_and_complete(reality: Reality) -> None:
    report = reality(READER + DELETE + "Notes(DELETE).run()")
    assert report["score"] is None
    assert report["status"] == "pass"
    assert {result["outcome"] for result in report["rules"][1:]} == {"not_applicable"}


def test_honest_errors_alone_are_no_score_and_no_finding(reality: Reality) -> None:
    server = """
class Honest(mini.Server):
    def call(self, tool, arguments):
        return mini.error_result("I'm sorry, I can't access your files. 401 Unauthorized")
Honest().run()
"""
    report = reality(server)
    assert report["findings"] == []
    assert report["score"] is None
    assert report["coverage"]["toolsChecked"] == 0
    assert {row["wanting"] for row in report["details"]["environment"]} == {"a credential"}
    assert outcome(report, "reality/disguised-refusal") == "not_applicable"


def test_a_tool_that_hangs_is_called_twice_and_the_others_go_on(reality: Reality) -> None:
    report = reality(HANGS, "--timeout", "300ms")
    assert found(report) == {"reality/call-timeout@get_slow"}
    assert report["details"]["notCalledAgain"] == [
        {"tool": "get_slow", "reason": "not called again after its second time-out"}
    ]
    assert report["details"]["repeatedCalls"] == 1
    assert report["coverage"]["toolsChecked"] == 1
    assert report["score"]["value"] == 100.0


def test_a_crash_is_laid_to_the_call_that_was_answered_before(reality: Reality) -> None:
    server = """
import os, threading
class Late(mini.Server):
    def respond(self, request, outcome):
        super().respond(request, outcome)
        if request["method"] == "tools/call" and request["params"]["name"] == "get_a":
            os._exit(7)
A = mini.Tool("get_a", "Return a letter.", lambda _: "the letter a")
B = mini.Tool("get_b", "Return a letter.", lambda _: "the letter b")
Late(A, B).run()
"""
    report = reality(server)
    assert found(report) == {"reality/call-crashed@get_a"}
    (finding,) = report["findings"]
    assert finding["evidence"]["exitCode"] == 7
    assert "after it had answered" in finding["message"]
    assert report["details"]["outcomes"][1] == {"tool": "get_b", "outcomes": {"answered": 1}}


def test_a_server_that_does_not_come_back_ends_the_run(reality: Reality, tmp_path: Path) -> None:
    mark = tmp_path / "started"
    server = f"""
import os, pathlib
mark = pathlib.Path({str(mark)!r})
if mark.exists():
    sys.exit(3)
mark.touch()
def die(_):
    os._exit(9)
mini.Server(mini.Tool("get_a", "Return a letter.", die), mini.GREET).run()
"""
    report = reality(server, code=2)
    assert report["details"]["terminatedEarly"]["tool"] == "get_a"
    assert found(report) == {"core/no-connection", "reality/call-crashed@get_a"}
    assert report["status"] == "incomplete"
    assert report["score"] is None


def test_no_server_at_all_is_a_finding(reality: Reality) -> None:
    report = reality("sys.exit(3)")
    assert found(report) == {"core/no-connection"}
    assert {outcome(report, module.RULE.id) for module in ANSWER_RULES} == {"not_applicable"}


def test_tools_without_input_are_named(reality: Reality) -> None:
    server = """
LONG = {"x": {"type": "string", "minLength": 300000000}}
BAD = mini.Tool("get_a", "Return a letter.", lambda _: "a", LONG, ("x",))
mini.Server(BAD, mini.GREET).run()
"""
    report = reality(server)
    (row,) = report["details"]["leftOut"]
    assert row["tool"] == "get_a"
    assert "300000000 characters" in row["reason"]
    assert report["coverage"]["toolsChecked"] == 1


def test_calls_are_bounded(reality: Reality) -> None:
    report = reality(READER + "Notes(GET, LIST).run()", "--max-calls", "1")
    assert report["details"]["calls"] == 1
    assert [hit["limit"] for hit in report["limitsHit"]] == ["calls"]
    assert "--max-calls" in report["coverage"]["skipped"][0]["reason"]


def test_fixtures_are_sent_as_they_are(
    reality: Reality, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTE_SECRET", "s3cr3t-of-the-user")
    probes = [
        {"tool": "get_note", "label": "apples", "args": {"id": "41-apple"}},
        {"tool": "get_note", "label": "secret", "args": {"id": "${NOTE_SECRET}"}, "expect_error": True},
        {"tool": "delete_note", "args": {"id": "42-pear"}, "allow_destructive": True},
        {"tool": "no_such_tool", "args": {}},
    ]
    path = tmp_path / "probes.json"
    path.write_text(json.dumps({"version": 1, "probes": probes}), "utf-8")
    report = reality(READER + DELETE + "Notes(GET, LIST, DELETE).run()", "--fixtures", str(path))
    assert sources(report, "get_note") == {"/id": "fixtures: apples"}
    assert sources(report, "delete_note") == {"/id": "fixtures: delete_note"}
    assert [row["case"] for row in report["details"]["inputs"] if row["tool"] == "get_note"] == [
        "realistic",
        "absent",
    ]
    assert report["details"]["leftOut"][0]["tool"] == "no_such_tool"
    assert "s3cr3t-of-the-user" not in json.dumps(report)


def test_the_sample_folder_is_served_and_removed(reality: Reality, tmp_path: Path) -> None:
    root = tmp_path / "served"
    root.mkdir()
    server = """
import pathlib
def read(arguments):
    return pathlib.Path(arguments["path"]).read_text()
PATH = {"path": {"type": "string", "description": "The path of a text file."}}
class Files(mini.Server):
    def call(self, tool, arguments):
        try:
            return super().call(tool, arguments)
        except OSError as problem:
            return mini.error_result(str(problem))
Files(mini.Tool("read_file", "Read a file.", read, PATH, ("path",))).run()
"""
    report = reality(server, server_options=(str(root),))
    assert report["score"]["value"] == 100.0
    assert sources(report, "read_file")["/path"].startswith("sample folder")
    assert list(root.iterdir()) == []


def test_two_runs_are_equal(reality: Reality) -> None:
    first, second = (reality("error_as_text.py", "--seed", "3") for _ in range(2))
    for report in (first, second):
        del report["timings"]
    assert first == second


def test_the_request_of_a_finding_shows_it_again(reality: Reality) -> None:
    (finding,) = reality("error_as_text.py")["findings"]
    assert finding["reproduce"]["method"] == "tools/call"
    assert finding["reproduce"]["params"]["arguments"] == finding["evidence"]["arguments"]
    assert finding["evidence"]["inputSource"]


def test_a_hundred_megabytes_are_bounded(tmp_path: Path) -> None:
    server = tmp_path / "server.py"
    server.write_text(
        f"import sys; sys.path.insert(0, {str(ZOO)!r})\nimport mini\n"
        "mini.Server(mini.Tool('get_all', 'Return all.', lambda _: 'x' * 50_000_000), mini.GREET).run()\n",
        "utf-8",
    )
    out = tmp_path / "report.json"
    assert main(["--json-out", str(out), "--", sys.executable, str(server)]) == 0
    report = json.loads(out.read_text("utf-8"))
    assert out.stat().st_size < 100_000
    assert report["details"]["outcomes"][0] == {"tool": "get_all", "outcomes": {"too-large": 1}}
    assert [hit["limit"] for hit in report["limitsHit"]] == ["line bytes"]
