"""The command as a user meets it: options, profiles, outputs, exit codes."""

import json
import sys
from pathlib import Path

import pytest

from mcp_check_core.report.schema import validate
from mcp_stdio_guard.cli import main
from mcp_stdio_guard.contract.document_schema import document_schema
from tools.stdio_guard.tests.harness import ZOO, run_json, script, zoo

Capture = pytest.CaptureFixture[bytes]
SCHEMA = document_schema()


def checks(document: dict[str, object]) -> dict[str, str]:
    members = document["checks"]
    assert isinstance(members, dict)
    return {name: check["status"] for name, check in members.items()}


def test_a_clean_server_passes(capfdbinary: Capture) -> None:
    code, document = run_json(capfdbinary, "--repeat", "2", "--", *zoo("demo/fixed.py"))
    assert validate(document, SCHEMA) == []
    assert (code, document["status"], document["score"]["value"]) == (0, "pass", 100.0)
    assert document["summary"]["display"] == "verified"
    assert document["details"]["starts"] == 3
    assert document["negotiatedProtocol"] == "2025-11-25"
    assert checks(document) == {
        "initialize": "pass",
        "stdout": "pass",
        "jsonRpc": "pass",
        "operation": "skipped",
        "capabilities": "pass",
        "toolSchema": "pass",
        "adversarial": "skipped",
        "process": "pass",
        "pythonBuffering": "pass",
        "staticScan": "skipped",
        "repeat": "pass",
    }


def test_a_list_without_its_backend_leaves_the_check_incomplete(capfdbinary: Capture, tmp_path: Path) -> None:
    server = tmp_path / "server.py"
    server.write_text(
        f"""
import sys
sys.path.insert(0, {str(ZOO)!r})
import mini

class WithoutDatabase(mini.Server):
    def capabilities(self):
        return {{"tools": {{}}, "resources": {{}}}}

    def list_resources(self, params):
        raise mini.RpcError(mini.INTERNAL_ERROR, "connect ECONNREFUSED 127.0.0.1:5432")

WithoutDatabase().run()
""",
        "utf-8",
    )
    code, document = run_json(capfdbinary, "--", sys.executable, str(server))
    assert validate(document, SCHEMA) == []
    assert (code, document["status"], document["score"], document["findings"]) == (2, "incomplete", None, [])
    (row,) = [row for row in document["rules"] if row["outcome"] == "error"]
    assert row["rule"] == "guard/capability-list-error"
    assert (
        row["reason"] == "resources/list failed for want of the network: connect ECONNREFUSED 127.0.0.1:5432"
    )


def test_a_planted_server_fails(capfdbinary: Capture) -> None:
    code, document = run_json(capfdbinary, "--", *zoo("demo/planted.py"))
    assert validate(document, SCHEMA) == []
    assert (code, document["status"], document["score"]["value"]) == (1, "fail", 40.0)
    assert {(issue["class"], issue["code"]) for issue in document["issues"]} == {
        ("stdioTransport", "stdout-non-json"),
        ("mcpProtocol", "capability-list-unsupported"),
        ("mcpProtocol", "tool-description-missing"),
    }
    assert document["summary"]["issueClass"] == "mixed"
    assert document["summary"]["issueCounts"] == {"error": 2, "warning": 1, "total": 3}
    assert document["checks"]["capabilities"]["prompts"] == {
        "status": "fail",
        "issueCodes": ["capability-list-unsupported"],
    }


def test_the_text_begins_with_guards_own_lines(capfdbinary: Capture) -> None:
    assert main(["--", *zoo("demo/planted.py")]) == 1
    text = capfdbinary.readouterr().out.decode()
    assert text.splitlines()[:7] == [
        "FAIL MCP stdio guard",
        "  initialize: ok",
        "  frames: 4 stdout / 1 invalid",
        "  stderr: 0 lines",
        "  protocol: 2025-11-25",
        "  request: none asked for",
        "  tool schemas: 4/4 valid",
    ]
    assert "[error] guard/stdout-non-json" in text
    assert "“Bookmarks server 1.0.0 is ready”" in text


def test_a_command_that_does_not_start_is_a_finding(capfdbinary: Capture) -> None:
    code, document = run_json(capfdbinary, "--", "./no-such-server")
    assert validate(document, SCHEMA) == []
    assert code == 1
    assert [issue["code"] for issue in document["issues"]] == ["spawn-failed"]
    assert document["issues"][0]["spawnErrorCode"] == "ENOENT"
    assert document["issues"][0]["detailCode"] == "spawn-failed-before-startup"
    assert document["process"]["outcome"] == "spawn-failed"
    assert document["summary"]["status"] == "needs_inspection"
    assert document["score"]["value"] == 0.0


def test_an_early_exit_needs_inspection(capfdbinary: Capture) -> None:
    code, document = run_json(capfdbinary, "--", *zoo("exit_before_initialize.py"))
    assert validate(document, SCHEMA) == []
    assert (code, document["summary"]["status"]) == (1, "needs_inspection")
    assert document["process"]["outcome"] == "exited"
    assert document["issues"][0]["detailCode"] == "nonzero-exit-before-initialize"


@pytest.mark.parametrize("profile", ["ci", "strict"])
def test_profiles_that_print_json(profile: str, capfdbinary: Capture) -> None:
    assert main(["--profile", profile, "--", *zoo("demo/fixed.py")]) == 0
    document = json.loads(capfdbinary.readouterr().out)
    assert validate(document, SCHEMA) == []
    assert len(document["runs"]) == (2 if profile == "strict" else 1)
    assert bool(document["details"]["notes"]) is (profile == "strict")
    assert document["adversarial"] == {"enabled": False, "probes": []}


def test_the_command_line_stands_over_the_profile(capfdbinary: Capture) -> None:
    words = ["--profile", "strict", "--repeat", "1", "--format", "text", "--", *zoo("demo/fixed.py")]
    assert main(words) == 0
    assert capfdbinary.readouterr().out.startswith(b"PASS MCP stdio guard\n  initialize: ok\n")


def test_smoke_makes_the_handshake_alone(capfdbinary: Capture) -> None:
    code, document = run_json(capfdbinary, "--profile", "smoke", "--", *zoo("demo/planted.py"))
    assert [issue["code"] for issue in document["issues"]] == ["stdout-non-json"]
    assert (code, document["details"]["starts"]) == (1, 1)
    assert document["capabilityProbes"] == {"enabled": False, "methods": []}
    assert (checks(document)["capabilities"], checks(document)["toolSchema"]) == ("skipped", "skipped")


def test_requests(capfdbinary: Capture) -> None:
    words = ["--profile", "smoke", "--request", "tools/call", "--request", "no/such"]
    call = json.dumps({"name": "count_bookmarks", "arguments": {}})
    code, document = run_json(capfdbinary, *words, "--params", call, "--", *zoo("demo/fixed.py"))
    assert validate(document, SCHEMA) == []
    assert code == 1
    assert [(one["method"], one["hasParams"], one["responded"]) for one in document["operations"]] == [
        ("tools/call", True, True),
        ("no/such", False, True),
    ]
    assert document["operation"] == document["operations"][0]
    assert [issue["code"] for issue in document["issues"]] == ["operation-error"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--params", "{}"], "--params"),
        (["--request", "tools/list", "--params", "[]"], "--params"),
        (["--request", "tools/list", "--params", "{"], "--params"),
        (["--request", "notifications/x"], "--request"),
        (["--timeout", "soon"], "--timeout"),
        (["--max-stdout-bytes", "0"], "--max-stdout-bytes"),
        (["--profile", "none"], "--profile"),
        (["--repeat", "0"], "--repeat"),
    ],
)
def test_wrong_usage(words: list[str], named: str, capfdbinary: Capture) -> None:
    assert main([*words, "--", *zoo("demo/fixed.py")]) == 2
    out = capfdbinary.readouterr()
    assert out.out == b""
    assert named in out.err.decode()
    assert len(out.err.splitlines()) == 1


def test_a_bare_number_is_milliseconds(capfdbinary: Capture, tmp_path: Path) -> None:
    silent = script(tmp_path, {"sent": {"method": "prompts/list", "id": 2}})
    _, document = run_json(capfdbinary, "--timeout", "300", "--", *silent)
    assert [issue["message"] for issue in document["issues"]] == [
        "The server did not answer prompts/list within 0.3 s."
    ]
    assert document["process"]["timeoutMs"] == 300
    assert document["process"]["timeoutCode"] == "capability-list-timeout"


def test_trace_and_journal(capfdbinary: Capture, tmp_path: Path) -> None:
    trace, journal = tmp_path / "trace.jsonl", tmp_path / "journal.jsonl"
    words = ["--trace", str(trace), "--journal", str(journal)]
    run_json(capfdbinary, *words, "--", *zoo("demo/planted.py"))
    frames = [json.loads(line) for line in trace.read_bytes().splitlines()]
    assert "Bookmarks server 1.0.0 is ready" in [frame["text"] for frame in frames]
    lines = [json.loads(line) for line in journal.read_bytes().splitlines()]
    assert sum("finding" in line for line in lines) == 3
    assert sum("answer" in line for line in lines) >= len(SCHEMA["x-volatile"])  # type: ignore[arg-type]


def test_no_secret_leaves(capfdbinary: Capture, tmp_path: Path) -> None:
    secret = "canary-4f1d0c6be29a7d53"
    trace = tmp_path / "trace.jsonl"
    words = ["--env", f"ZOO_SECRET={secret}", "--trace", str(trace)]
    code, document = run_json(capfdbinary, *words, "--", *zoo("hostile/canary.py"))
    assert code == 1
    assert secret not in json.dumps(document)
    assert secret.encode() not in trace.read_bytes()
    assert document["fingerprint"]["env"]["values"] == {"ZOO_SECRET": "[redacted]"}


def test_explain_and_schema(capfdbinary: Capture) -> None:
    assert main(["explain", "stdout-non-json"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"# guard/stdout-non-json: ")
    assert main(["schema"]) == 0
    assert json.loads(capfdbinary.readouterr().out) == SCHEMA
