"""The command as a user meets it: paths, outputs, gates, exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_check_core.report.schema import validate, without_volatile
from mcp_doctor.cli import main
from mcp_doctor.contract.document_schema import document_schema
from tools.doctor.tests.sources import write

Capture = pytest.CaptureFixture[bytes]
SCHEMA = document_schema()
PLANTED = """import os
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("planted")
print("planted server 1.0")


@mcp.tool()
def find(text: str, limit: int = None) -> list[str]:
    try:
        return [text][:limit]
    except:
        return []


@mcp.tool(name=os.environ["NAME"])
def other() -> None:
    '''Do the other thing.'''


if __name__ == "__main__":
    mcp.run()
"""
CLEAN = '''from mcp.server.fastmcp import FastMCP

mcp = FastMCP("clean")


@mcp.tool()
def find(text: str, limit: int | None = None) -> list[str]:
    """Find notes.

    Args:
        text: What to look for.
        limit: How many to give at most.
    """
    return [text][:limit]


if __name__ == "__main__":
    mcp.run()
'''


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    return write(tmp_path / "planted", {"src/server.py": PLANTED, "requirements.txt": "mcp>=1.2\n"})


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    return write(tmp_path / "clean", {"server.py": CLEAN, "requirements.txt": "mcp>=1.2,<2\n"})


def run_json(capture: Capture, *words: str) -> tuple[int, dict[str, Any]]:
    code = main(["--json", *words])
    made: dict[str, Any] = json.loads(capture.readouterr().out)
    assert validate(made, SCHEMA) == []
    return code, made


def test_a_planted_tree(planted: Path, capfdbinary: Capture) -> None:
    code, made = run_json(capfdbinary, str(planted))
    assert (code, made["status"], made["ok"]) == (0, "fail", False)
    assert [(one["ruleId"], one["location"]["line"]) for one in made["findings"]] == [
        ("doctor/bare-except", 12),
        ("doctor/sdk-removed-api", 2),
        ("doctor/tool-no-description", 9),
        ("doctor/null-default", 9),
        ("doctor/parameter-undocumented", 9),
        ("doctor/parameter-undocumented", 9),
        ("doctor/stdout-write", 5),
    ]
    details = made["details"]
    assert details["breakageCount"] == 3
    assert [one["rule"] for one in details["breakages"]] == [
        "doctor/sdk-removed-api",
        "doctor/null-default",
        "doctor/stdout-write",
    ]
    (tool,) = details["tools"]
    assert (tool["name"], tool["file"], tool["line"]) == ("find", "src/server.py", 9)
    assert tool["parameters"][1] == {
        "name": "limit",
        "type": "int",
        "required": False,
        "default": None,
        "description": None,
    }
    assert [one["line"] for one in details["unresolved"]] == [16]
    assert made["coverage"]["toolsTotal"] == 2
    assert made["coverage"]["toolsChecked"] == 1


def test_a_clean_tree(clean: Path, capfdbinary: Capture) -> None:
    code, made = run_json(capfdbinary, str(clean))
    assert (code, made["status"], made["score"]["value"]) == (0, "pass", 100.0)
    assert made["findings"] == []
    assert {rule["outcome"] for rule in made["rules"]} == {"pass"}
    assert made["details"]["quality"]["grade"] == "A"


def test_the_text_begins_with_the_breakages(planted: Path, clean: Path, capfdbinary: Capture) -> None:
    assert main([str(planted)]) == 0
    lines = capfdbinary.readouterr().out.decode().splitlines()
    assert lines[0].startswith("FAIL  mcp-doctor")
    assert "3 issues that will break an agent:" in lines
    assert max(map(len, lines)) <= 100
    assert main([str(clean)]) == 0
    assert "No known agent-breaking issues" in capfdbinary.readouterr().out.decode()


def test_no_tools_is_no_grade(tmp_path: Path, capfdbinary: Capture) -> None:
    write(tmp_path, {"app.py": "print('hello')\n"})
    code, made = run_json(capfdbinary, str(tmp_path))
    assert (code, made["status"], made["score"]) == (2, "incomplete", None)
    reasons = {rule["rule"]: rule.get("reason") for rule in made["rules"]}
    assert reasons["doctor/tool-no-description"] == "no tool was found in the source"
    assert main(["--fail-under", "1", str(tmp_path)]) == 1
    assert "No known agent-breaking issues" not in capfdbinary.readouterr().out.decode()


def test_an_empty_folder(tmp_path: Path, capfdbinary: Capture) -> None:
    assert run_json(capfdbinary, str(tmp_path))[0] == 2


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--fail-on", "error"], 1),
        (["--fail-on", "never"], 0),
        (["--fail-under", "99"], 1),
        (["--fail-under", "1"], 0),
        (["--fail-on-breakages"], 1),
    ],
)
def test_gates(words: list[str], code: int, planted: Path) -> None:
    assert main([*words, str(planted)]) == code


def test_gates_hold_on_a_clean_tree(clean: Path) -> None:
    assert main(["--fail-on", "info", "--fail-under", "100", "--fail-on-breakages", str(clean)]) == 0


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["/no/such/folder"], "/no/such/folder"),
        (["--nonsense"], "--nonsense"),
        (["--max-files", "0"], "--max-files"),
        (["--max-file-bytes", "many"], "--max-file-bytes"),
        (["--run-timeout", "soon"], "--run-timeout"),
        (["--trace", "x.jsonl", "."], "--trace"),
        ([".", "--", "python", "server.py"], "no server"),
        (["--output", "pdf=x", "."], "pdf"),
    ],
)
def test_wrong_usage(words: list[str], named: str, capfdbinary: Capture) -> None:
    assert main(words) == 2
    out = capfdbinary.readouterr()
    assert out.out == b""
    assert named in out.err.decode()
    assert len(out.err.splitlines()) == 1


def test_paths_are_relative_to_what_is_common(planted: Path, clean: Path, capfdbinary: Capture) -> None:
    _, made = run_json(capfdbinary, str(planted / "src" / "server.py"), str(clean))
    assert {tool["file"] for tool in made["details"]["tools"]} == {"planted/src/server.py", "clean/server.py"}


def test_a_comment_holds_a_finding_back(tmp_path: Path, capfdbinary: Capture) -> None:
    reasoned = PLANTED.replace(
        'print("planted server 1.0")', 'print("x")  # mcp-check: ignore[stdout-write] shown on purpose'
    ).replace("    except:", "    # mcp-check: ignore[bare-except]\n    except:")
    write(tmp_path, {"server.py": reasoned})
    _, made = run_json(capfdbinary, str(tmp_path))
    (held,) = made["suppressed"]
    assert held["reason"] == "shown on purpose (comment in server.py, line 5)"
    assert "doctor/bare-except" in {one["ruleId"] for one in made["findings"]}
    assert "doctor/stdout-write" not in {one["ruleId"] for one in made["findings"]}
    assert made["details"]["notes"] == [
        "server.py:12: this comment holds nothing back: it gives no reason; write one behind the bracket"
    ]


def test_a_baseline_accepts_what_is_known(planted: Path, tmp_path: Path, capfdbinary: Capture) -> None:
    known = tmp_path / "known.json"
    assert main(["--write-baseline", str(known), str(planted)]) == 0
    capfdbinary.readouterr()
    code, made = run_json(capfdbinary, "--baseline", str(known), "--fail-on", "info", str(planted))
    assert (code, made["findings"], len(made["suppressed"])) == (0, [], 7)


def test_two_checks_of_one_tree_are_equal(planted: Path, capfdbinary: Capture) -> None:
    made = [run_json(capfdbinary, str(planted))[1] for _ in range(2)]
    assert without_volatile(made[0], SCHEMA) == without_volatile(made[1], SCHEMA)


def test_fingerprints_survive_a_move_of_lines(planted: Path, capfdbinary: Capture) -> None:
    _, before = run_json(capfdbinary, str(planted))
    write(planted, {"src/server.py": "# a comment\n\n" + PLANTED})
    _, after = run_json(capfdbinary, str(planted))
    assert [one["fingerprint"] for one in before["findings"]] == [
        one["fingerprint"] for one in after["findings"]
    ]


@pytest.mark.parametrize("form", ["sarif", "junit", "markdown", "github", "html", "agent", "badge"])
def test_formats(form: str, planted: Path, capfdbinary: Capture) -> None:
    assert main(["--format", form, str(planted)]) == 0
    assert capfdbinary.readouterr().out


def test_explain_and_schema(capfdbinary: Capture) -> None:
    assert main(["explain", "null-default"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"# doctor/null-default: ")
    assert main(["schema"]) == 0
    assert json.loads(capfdbinary.readouterr().out) == SCHEMA
