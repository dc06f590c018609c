"""Whole runs on real servers: what is called, what is blamed, what is said where something cannot be done."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from mcp_check_core.report.journal import read_journal
from mcp_check_core.report.rule_file import RULE_FILE, rules_difference
from mcp_check_core.report.schema import schema_difference, without_volatile
from mcp_fuzz.cli import main
from mcp_fuzz.registry import RULES
from mcp_fuzz.report_schema import report_schema

from .conftest import PRELUDE, ZOO, Document, Fuzz, found, outcome

PLANTED = "demo/planted.py"
TWO = "mini.Server(mini.ADD, mini.GREET).run()"
UNMARKED = """
bare = mini.GREET._replace(extra={"annotations": {}})
mini.Server(bare).run()
"""


def finding(report: Document, rule: str) -> Document:
    (only,) = [found for found in report["findings"] if found["ruleId"] == rule]
    result: Document = only
    return result


def test_the_demo_servers(fuzz: Fuzz) -> None:
    planted = fuzz(PLANTED)
    assert found(planted) == {
        "fuzz/crash@search_bookmarks",
        "fuzz/internal-error@get_bookmark",
        "fuzz/accepted-invalid@list_by_tag",
    }
    assert planted["score"] == {"value": 70.0, "grade": "C", "basis": "7 of 10 calls ended in an orderly way"}
    assert planted["coverage"]["toolsChecked"] == planted["coverage"]["toolsTotal"] == 4
    fixed = fuzz("demo/fixed.py")
    assert found(fixed, info=True) == set()
    assert fixed["score"]["value"] == 100.0


def test_the_committed_schema_is_what_the_code_makes() -> None:
    from importlib.resources import files

    committed = files("mcp_fuzz").joinpath("schema.json").read_text("utf-8")
    assert schema_difference(committed, report_schema()) == ""


def test_the_committed_rules_are_those_of_the_registry() -> None:
    from importlib.resources import files

    committed = files("mcp_fuzz").joinpath(RULE_FILE).read_text("utf-8")
    assert rules_difference(committed, RULES) == ""


def test_two_runs_of_one_seed_are_equal(fuzz: Fuzz) -> None:
    schema = report_schema()
    for server in (PLANTED, "replied_then_died.py", "crash_on_fourth_call.py"):
        first, second = (without_volatile(fuzz(server, "--seed", "3"), schema) for _ in range(2))
        assert first == second


def test_a_crash_shows_how_to_make_it_again(fuzz: Fuzz) -> None:
    crash = finding(fuzz(PLANTED), "fuzz/crash")
    assert crash["evidence"]["exitCode"] == 1
    assert crash["evidence"]["reproduced"] == "3 of 3"
    assert "AttributeError" in crash["evidence"]["stderr"]
    assert crash["reproduce"]["params"] == {"name": "search_bookmarks", "arguments": {"query": 12345}}
    assert crash["location"] == {"tool": "search_bookmarks", "parameter": "query"}


def test_a_signal_is_told_as_one(fuzz: Fuzz) -> None:
    crash = finding(fuzz("crash_by_signal.py"), "fuzz/crash")
    assert crash["evidence"]["signal"] == signal.SIGKILL
    assert "exitCode" not in crash["evidence"]


def test_a_crash_of_a_sequence_is_flaky(fuzz: Fuzz) -> None:
    crash = finding(fuzz("crash_on_fourth_call.py"), "fuzz/crash")
    assert crash["kind"] == "flaky"
    assert crash["evidence"]["reproduced"] == "1 of 3"


def test_an_end_after_the_answer_is_laid_to_the_call_that_was_answered(fuzz: Fuzz) -> None:
    server = """
import os

class Dying(mini.Server):
    def respond(self, request, outcome):
        super().respond(request, outcome)
        if request.get("params", {}).get("name") == "add" and "b" not in request["params"]["arguments"]:
            os._exit(7)

Dying(mini.ADD, mini.GREET).run()
"""
    report = fuzz(server)
    crash = finding(report, "fuzz/crash")
    assert crash["location"] == {"tool": "add", "parameter": "b"}
    assert crash["message"] == "The server ended with exit code 7 after it had answered a call without b."
    assert crash["evidence"]["reproduced"] == "3 of 3"
    assert report["score"]["basis"] == "7 of 8 calls ended in an orderly way"


def test_the_last_call_of_all_may_be_the_one(fuzz: Fuzz) -> None:
    server = """
import os

class Dying(mini.Server):
    def respond(self, request, outcome):
        super().respond(request, outcome)
        if request.get("params", {}).get("arguments", {}).get("name") == 12345:
            os._exit(7)

Dying(mini.GREET).run()
"""
    crash = finding(fuzz(server), "fuzz/crash")
    assert crash["location"] == {"tool": "greet", "parameter": "name"}
    assert crash["evidence"]["exitCode"] == 7


def test_a_tool_that_hangs_is_left_after_its_second_time_out(fuzz: Fuzz) -> None:
    report = fuzz("hang_on_one_tool.py", "--timeout", "500ms")
    hung = finding(report, "fuzz/timeout")
    assert hung["message"] == "There was no answer within 0.5 s to a valid call."
    assert hung["evidence"]["reproduced"] == "3 of 3"
    assert report["details"]["notCalledAgain"] == [
        {"tool": "search", "reason": "not called again after its second time-out"}
    ]
    assert report["coverage"]["toolsChecked"] == 1
    assert report["coverage"]["skipped"] == [{"tool": "search", "reason": "no call got an orderly answer"}]
    assert outcome(report, "fuzz/timeout") == "fail"


def test_a_server_that_still_answers_a_ping_is_told_so(fuzz: Fuzz) -> None:
    server = """
class Silent(mini.Server):
    def requested(self, request):
        if request["method"] != "tools/call":
            super().requested(request)

Silent(mini.GREET).run()
"""
    hung = finding(fuzz(server, "--timeout", "300ms"), "fuzz/timeout")
    assert hung["evidence"]["answersPing"] is True


def test_a_server_that_is_not_reached_again_ends_the_run(fuzz: Fuzz, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    server = f"""
import pathlib

mark = pathlib.Path({str(mark)!r})
if mark.exists():
    sys.exit("the port is taken")
mark.touch()

def fall(arguments):
    sys.exit(4)

mini.Server(mini.ADD, mini.GREET._replace(run=fall)).run()
"""
    report = fuzz(server, code=2)
    assert report["status"] == "incomplete"
    assert report["score"] is None
    assert report["details"]["terminatedEarly"]["tool"] == "greet"
    assert report["details"]["terminatedEarly"]["case"] == "valid minimal"
    assert outcome(report, "fuzz/timeout") == "not_run"
    assert report["details"]["calls"] == 6
    assert "fuzz/crash@greet" in found(report)


def test_a_server_that_makes_no_session_is_a_result(fuzz: Fuzz) -> None:
    report = fuzz('sys.exit("TOKEN is not set")')
    assert (report["status"], report["score"], report["errors"]) == ("fail", None, [])
    assert finding(report, "core/no-connection")["kind"] == "exited"
    others = [rule for rule in report["rules"] if rule["rule"] != "core/no-connection"]
    assert {(rule["outcome"], rule["reason"]) for rule in others} == {
        ("not_applicable", "there was no session with the server")
    }
    fuzz('sys.exit("TOKEN is not set")', "--fail-on", "error", code=1)


def test_a_handshake_that_ended_at_a_limit_of_ours_leaves_the_rules_not_run(fuzz: Fuzz) -> None:
    report = fuzz('print("x" * 5000, flush=True)\nsys.stdin.read()', "--max-stdout-bytes", "1000", code=2)
    assert report["status"] == "incomplete"
    assert outcome(report, "fuzz/crash") == "not_run"
    assert outcome(report, "core/no-connection") == "fail"
    over = fuzz(
        "import subprocess\n"
        "[subprocess.Popen([sys.executable, '-c', 'input()']) for _ in range(9)]\nsys.stdin.read()",
        *("--max-processes", "4"),
        code=2,
    )
    assert over["findings"] == []
    assert {rule["outcome"] for rule in over["rules"]} == {"not_run"}


def test_without_a_read_only_tool_nothing_is_called(fuzz: Fuzz) -> None:
    report = fuzz(UNMARKED)
    assert report["status"] == "pass"
    assert report["score"] is None
    assert report["details"]["calls"] == 0
    assert outcome(report, "fuzz/crash") == "not_applicable"
    assert "--include-destructive" in report["coverage"]["skipped"][0]["reason"]
    asked = fuzz(UNMARKED, "--include-destructive")
    assert asked["details"]["calls"] == 3


def test_a_server_without_tools(fuzz: Fuzz) -> None:
    server = """
class Empty(mini.Server):
    def list_tools(self, params):
        return {"tools": []}

Empty().run()
"""
    report = fuzz(server)
    assert (report["status"], report["score"]) == ("pass", None)
    reasons = {rule.get("reason") for rule in report["rules"] if rule["outcome"] == "not_applicable"}
    assert reasons == {"the server lists no tools"}


def test_a_list_that_is_refused_leaves_the_rules_not_run(fuzz: Fuzz) -> None:
    server = """
class Broken(mini.Server):
    def list_tools(self, params):
        raise mini.RpcError(mini.INTERNAL_ERROR, "no database")

Broken().run()
"""
    report = fuzz(server, code=2)
    assert report["status"] == "incomplete"
    assert found(report) == {"fuzz/internal-error"}
    assert outcome(report, "fuzz/crash") == "not_run"


def test_a_gate_on_an_error(fuzz: Fuzz) -> None:
    fuzz(PLANTED, "--fail-on", "error", code=1)
    fuzz(PLANTED, "--fail-under", "70", code=0)
    fuzz(PLANTED, "--fail-under", "71", code=1)
    fuzz(UNMARKED, "--fail-under", "1", code=1)


@pytest.mark.parametrize(
    ("options", "called"),
    [
        (("--tool", "gr*"), {"greet"}),
        (("--exclude", "gr*"), {"add"}),
        (("--tool", "add", "--tool", "greet"), {"add", "greet"}),
        (("--tool", "nothing"), set()),
    ],
)
def test_tools_are_chosen_by_globs(fuzz: Fuzz, options: tuple[str, ...], called: set[str]) -> None:
    report = fuzz(TWO, *options)
    assert {row["tool"] for row in report["details"]["outcomes"]} == called
    assert report["coverage"]["toolsChecked"] == len(called)


def test_a_tool_that_is_a_task_alone_is_not_called(fuzz: Fuzz) -> None:
    server = 'mini.Server(mini.GREET._replace(extra={"execution": {"taskSupport": "required"}})).run()'
    report = fuzz(server)
    assert report["details"]["calls"] == 0
    assert "as a task alone" in report["coverage"]["skipped"][0]["reason"]


def test_the_most_calls_are_kept_to_and_said(fuzz: Fuzz) -> None:
    report = fuzz(TWO, "--max-calls", "3")
    assert report["details"]["calls"] == 3
    assert report["limitsHit"] == [
        {"limit": "calls", "value": 3, "where": "--max-calls: 5 further cases are not sent"}
    ]
    assert {row["reason"] for row in report["details"]["leftOut"]} == {
        "3 of 5 are over --max-calls",
        "2 of 3 are over --max-calls",
    }


def test_deep_finds_what_is_coerced(fuzz: Fuzz) -> None:
    server = """
class Coercing(mini.Server):
    def fault(self, tool, arguments):
        for name in tool.properties:
            if isinstance(arguments.get(name), str) and arguments[name].isdigit():
                arguments[name] = int(arguments[name])
        return super().fault(tool, arguments)

Coercing(mini.ADD).run()
"""
    report = fuzz(server, "--depth", "deep")
    assert found(report) == set()
    kinds = [(finding["kind"], finding["severity"]) for finding in report["findings"]]
    assert kinds == [("coerced", "info"), ("coerced", "info")]
    assert report["score"]["value"] == 100.0
    assert report["status"] == "pass"


def test_a_tool_without_network_is_not_exercised(fuzz: Fuzz) -> None:
    server = """
class Offline(mini.Server):
    def call_tool(self, params):
        return mini.error_result("getaddrinfo ENOTFOUND api.example.com")

Offline(mini.GREET).run()
"""
    report = fuzz(server)
    assert report["findings"] == []
    assert report["coverage"]["toolsChecked"] == 0
    assert report["coverage"]["skipped"] == [
        {"tool": "greet", "reason": "every call failed for want of the network"}
    ]
    assert report["details"]["environment"] == [{"tool": "greet", "wanting": "the network", "calls": 3}]
    assert report["score"] is None
    assert report["status"] == "pass"
    reason = "no tool was exercised: every call failed for want of the network"
    assert report["details"]["notScored"] == reason
    assert outcome(report, "fuzz/accepted-invalid") == "not_applicable"


def test_calls_without_network_leave_the_score_of_the_others(fuzz: Fuzz) -> None:
    server = """
class HalfOffline(mini.Server):
    def call_tool(self, params):
        if params["name"] == "greet":
            return mini.error_result("getaddrinfo ENOTFOUND api.example.com")
        return super().call_tool(params)

HalfOffline(mini.ADD, mini.GREET).run()
"""
    report = fuzz(server)
    assert report["score"]["basis"] == "5 of 5 calls ended in an orderly way"
    assert report["coverage"]["toolsChecked"] == 1
    assert report["details"]["notScored"] is None


def test_a_server_that_always_fails_at_its_end_is_not_called_again_for_that(fuzz: Fuzz) -> None:
    server = """
class Rude(mini.Server):
    def ended(self):
        sys.exit("good-bye")

Rude(mini.GREET).run()
"""
    report = fuzz(server)
    assert report["findings"] == []
    assert (report["details"]["starts"], report["details"]["repeatedCalls"]) == (2, 0)


def test_a_failure_in_words_with_the_code_of_a_fault_is_a_note(fuzz: Fuzz) -> None:
    server = """
class WrongCode(mini.Server):
    def call_tool(self, params):
        result = super().call_tool(params)
        if result.get("isError"):
            raise mini.RpcError(mini.INTERNAL_ERROR, "Invalid arguments for this tool")
        return result

WrongCode(mini.ADD, mini.GREET).run()
"""
    report = fuzz(server)
    note = finding(report, "fuzz/internal-error")
    assert (note["kind"], note["severity"]) == ("wrong-code", "info")
    assert note["evidence"]["tools"] == ["add", "greet"]
    assert report["status"] == "pass"
    assert report["score"]["value"] == 100.0


def test_one_internal_error_on_every_tool_is_one_finding(fuzz: Fuzz) -> None:
    server = """
class Broken(mini.Server):
    def call_tool(self, params):
        raise mini.RpcError(mini.INTERNAL_ERROR, "Cannot read properties of undefined (reading 'map')")

Broken(mini.ADD, mini.GREET).run()
"""
    report = fuzz(server)
    error = finding(report, "fuzz/internal-error")
    assert error["location"] == {"tool": "add"}
    assert error["evidence"]["tools"] == ["add", "greet"]
    assert error["evidence"]["cases"] == report["details"]["calls"]
    assert report["score"]["value"] == 0.0
    assert report["status"] == "fail"


def test_failures_in_disguise_are_no_successes(fuzz: Fuzz) -> None:
    server = """
class Disguising(mini.Server):
    def call_tool(self, params):
        missing = "name" not in params["arguments"]
        said = "Missing required argument: name" if missing else "fetch failed"
        return mini.text_result('{"error": "' + said + '"}')

Disguising(mini.GREET).run()
"""
    report = fuzz(server)
    assert report["findings"] == []
    assert report["score"] is None
    reason = "its answers are failures that call themselves successes"
    assert report["details"]["notScored"] == f"no tool was exercised: {reason}"
    assert report["coverage"]["skipped"] == [{"tool": "greet", "reason": reason}]
    assert report["coverage"]["toolsChecked"] == 0
    assert {name for row in report["details"]["outcomes"] for name in row["outcomes"]} == {"rejected"}


def test_a_time_out_for_want_of_the_network_is_no_finding(fuzz: Fuzz, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    server = f"""
import pathlib, time

mark = pathlib.Path({str(mark)!r})

def search(arguments):
    if not mark.exists():
        mark.touch()
        time.sleep(60)
    raise mini.RpcError(mini.INTERNAL_ERROR, "getaddrinfo ENOTFOUND api.example.com")

mini.Server(mini.GREET._replace(run=search)).run()
"""
    report = fuzz(server, "--timeout", "500ms")
    assert found(report) == set()
    assert report["details"]["environment"] == [{"tool": "greet", "wanting": "the network", "calls": 1}]
    assert report["details"]["outcomes"][0]["outcomes"] == {"timeout": 1}


def test_an_honest_error_on_a_valid_call_is_listed_and_no_defect(fuzz: Fuzz) -> None:
    server = """
class Picky(mini.Server):
    def call(self, tool, arguments):
        return mini.error_result("There is nobody of that name.")

Picky(mini.GREET).run()
"""
    report = fuzz(server)
    assert report["findings"] == []
    assert report["score"]["value"] == 100.0
    (row,) = report["details"]["validErrors"]
    assert row["answer"] == "There is nobody of that name."


def test_a_large_answer_of_one_tool_leaves_the_others_tested(fuzz: Fuzz) -> None:
    report = fuzz("hostile/large_answer.py")
    assert found(report) == {"fuzz/response-too-large@dump"}
    assert {row["tool"] for row in report["details"]["outcomes"]} == {"dump", "greet"}
    assert len(json.dumps(report)) < 20_000


def test_a_server_over_a_limit_of_ours_is_not_called_broken(fuzz: Fuzz) -> None:
    report = fuzz("hostile/forks.py", "--max-processes", "20", code=2)
    assert report["findings"] == []
    assert report["status"] == "incomplete"
    assert report["errors"][0]["kind"] == "limit"
    assert "--max-processes 20" in report["errors"][0]["message"]


def test_definitions_made_to_break_a_generator_leave_the_good_tool_tested(fuzz: Fuzz) -> None:
    report = fuzz("hostile/schema_bombs.py")
    assert found(report) == {"fuzz/accepted-invalid@greet"}
    unjudged = {row["tool"]: row["reason"] for row in report["details"]["schemaNotJudgeable"]}
    assert "retrieving it failed" in unjudged["remote_reference"]
    assert any("300000000 characters" in row["reason"] for row in report["details"]["leftOut"])
    reasons = [row["reason"] for row in report["coverage"]["skipped"]]
    assert reasons == ["it has no name to call it by"] * 2


def test_the_full_trace_has_a_line_a_call_and_one_a_skipped_tool(fuzz: Fuzz, tmp_path: Path) -> None:
    trace = tmp_path / "calls.jsonl"
    fuzz(TWO, "--full-trace", str(trace), "--exclude", "add")
    lines = [json.loads(line) for line in trace.read_text("utf-8").splitlines()]
    assert lines[0] == {"tool": "add", "skipped": "--exclude leaves it out"}
    assert [line["case"] for line in lines[1:]] == ["valid minimal", "missing name", "wrong-type name"]
    assert set(lines[1]) == {
        *("tool", "phase", "case", "property", "outcome", "detail", "arguments", "startedAt", "durationMs")
    }
    assert lines[3]["property"] == "/name"
    assert lines[3]["arguments"] == {"name": 12345}


def test_secrets_are_in_no_output(fuzz: Fuzz, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    secret = "canary-6f1d0c2e9b"
    paths = {name: tmp_path / name for name in ("trace", "journal", "calls", "text", "md")}
    options = [
        *(
            "--env",
            f"ZOO_SECRET={secret}",
            "--trace",
            str(paths["trace"]),
            "--journal",
            str(paths["journal"]),
        ),
        *("--full-trace", str(paths["calls"]), "--output", f"text={paths['text']}"),
        *("--output", f"markdown={paths['md']}"),
    ]
    report = fuzz("hostile/canary.py", *options)
    assert "fuzz/internal-error@add" in found(report)
    captured = capfd.readouterr()
    everything = [json.dumps(report), captured.out, captured.err]
    everything += [path.read_text("utf-8") for path in paths.values()]
    assert all(secret not in text for text in everything)


def test_the_journal_holds_the_findings(fuzz: Fuzz, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    report = fuzz(PLANTED, "--journal", str(journal))
    contents = read_journal(journal)
    assert {found.fingerprint for found in contents.findings} == {
        found["fingerprint"] for found in report["findings"]
    }
    assert len(contents.answers) == len(report["rules"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no server given"),
        (["--", "no-such-program-here"], "no such command"),
        (["--nonsense", "--", "python"], "--nonsense"),
        (["--max-calls", "0", "--", "python"], "--max-calls"),
        (["--depth", "bottomless", "--", "python"], "--depth"),
        (["--full-trace", "/no/such/folder/file", "--", "python"], "/no/such/folder"),
        (["--url", "http://localhost", "--", "python"], "--url"),
    ],
)
def test_bad_usage_is_one_line(arguments: list[str], words: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert len(captured.err.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_stopped_by_a_signal_it_tells_what_it_knows_and_leaves_nothing(tmp_path: Path) -> None:
    server, mark = tmp_path / "server.py", tmp_path / "called"
    server.write_text(
        PRELUDE
        + f"""
import pathlib, time

def wait(arguments):
    pathlib.Path({str(mark)!r}).write_text(str(__import__("os").getpid()))
    time.sleep(60)

mini.Server(mini.GREET, mini.Tool("wait", "Wait.", wait)).run()
""",
        "utf-8",
    )
    command = [sys.executable, "-m", "mcp_fuzz", "--json", "--", sys.executable, str(server)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        watched = psutil.Process(process.pid)
        while not (mark.exists() and mark.read_text("utf-8")):
            assert process.poll() is None
            _pause(watched)
        pid = int(mark.read_text("utf-8"))
        os.kill(process.pid, signal.SIGTERM)
        out, err = process.communicate(timeout=10)
    assert process.returncode == 130, err
    report = json.loads(out)
    assert report["status"] == "incomplete"
    assert report["errors"][0]["kind"] == "interrupted"
    assert report["details"]["calls"] == 3
    assert not psutil.pid_exists(pid)


def _pause(process: psutil.Process) -> None:
    """Let the other process go on for a moment: its file is the only sign that it gives."""
    try:
        process.wait(timeout=0.02)
    except psutil.TimeoutExpired:
        return


def test_help_loads_no_wire_client() -> None:
    program = "import sys; from mcp_fuzz.cli import main; main(['--help']); print(sorted(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    for module in ("anyio", "psutil", "orjson", "jsonschema_rs", "mcp_check_core.wire.connector"):
        assert f"'{module}'" not in shown.stdout


def test_zoo_is_where_the_tests_look_for_it() -> None:
    assert (ZOO / "mini.py").is_file()
