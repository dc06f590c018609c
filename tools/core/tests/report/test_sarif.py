import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_check_core.judges.schema import Judgement, SchemaValidator, compile_schema
from mcp_check_core.model.finding import Category, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import (
    ErrorKind,
    LimitHit,
    Report,
    RunError,
    Suppressed,
    Target,
    TargetKind,
)
from mcp_check_core.model.rule import Rule
from mcp_check_core.report.head import Head, Tone
from mcp_check_core.report.json_format import dump_document
from mcp_check_core.report.rule_book import RuleBook, rule_book
from mcp_check_core.report.sarif import FINGERPRINT, NO_FILE, automation_id, sarif_document
from mcp_check_core.wire.no_connection import RULE as NO_CONNECTION
from tools.core.tests.report.builders import (
    COVERAGE,
    CRASH,
    HANG,
    STYLE,
    TARGET,
    collector,
    finished,
    report_with,
)
from tools.core.tests.report.generated import reports
from tools.core.tests.report.injections import ATTEMPTS, attacked

SHELL = Rule(
    "fuzz/shell",
    "A call reaches a shell",
    Severity.ERROR,
    Category.SECURITY,
    kinds=("string",),
    references=("MCP specification, security",),
    cwe=(78, 20),
    owasp_mcp=(5,),
)
PAGE = "## What it flags\n\nA call that\nreaches a shell.\n\nMore.\n\n## Why it matters\n\nIt runs.\n"
BOOK = RuleBook({rule.id: rule for rule in (CRASH, HANG, STYLE, SHELL)}, lambda rule: PAGE)


def run_of(
    report: Report,
    book: RuleBook | None = BOOK,
    *,
    head: Head | None = None,
    exit_code: int | None = None,
    artifact: Location | None = None,
) -> dict[str, Any]:
    made = sarif_document(report, book, head=head, exit_code=exit_code, artifact=artifact)
    document: dict[str, Any] = json.loads(dump_document(made))
    assert document["version"] == "2.1.0"
    run: dict[str, Any] = document["runs"][0]
    return run


def report_of_shell() -> Report:
    run = collector((CRASH, HANG, SHELL))
    run.found(SHELL.finding("It ran.", location=Location(tool="run", parameter="command"), hint="Do not."))
    run.found(CRASH.finding("It died.", location=Location(file="src/a b.py", line=3, column=2)))
    run.not_applicable(HANG.id, "nothing to call")
    run.answered(SHELL.id)
    run.answered(CRASH.id)
    run.limit(LimitHit("tools", 10, "tools/list"))
    held = (Suppressed(CRASH.finding("Known.", key="known"), "see the plan"),)
    return replace(finished(run), suppressed=held)


def test_a_rule_is_explained() -> None:
    rules = run_of(report_of_shell())["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["fuzz/crash", "fuzz/hang", "fuzz/shell"]
    shell = rules[2]
    assert shell["name"] == "FuzzShell"
    assert shell["shortDescription"] == {"text": "A call reaches a shell."}
    assert shell["fullDescription"] == {"text": "A call that reaches a shell."}
    assert shell["help"]["text"] == PAGE
    assert shell["help"]["markdown"].startswith("# fuzz/shell: A call reaches a shell\n")
    assert shell["defaultConfiguration"] == {"level": "error"}
    assert shell["properties"] == {
        "tags": [
            "mcp",
            "security",
            "external/cwe/cwe-078",
            "external/cwe/cwe-020",
            "external/owasp-mcp/MCP05",
        ],
        "category": "security",
        "since": "2.0.0",
        "kinds": ["string"],
        "references": ["MCP specification, security"],
        "security-severity": "8.0",
    }


def test_the_page_of_a_package_is_the_help() -> None:
    report = report_with()
    book = rule_book("mcp_check_core", [NO_CONNECTION])
    rules = run_of(replace(report, rules=(replace(report.rules[0], rule=NO_CONNECTION.id),)), book)
    assert rules["tool"]["driver"]["rules"][0]["help"]["text"].startswith("## What it flags\n")


def test_weaknesses_are_taxa_that_rules_and_results_refer_to() -> None:
    run = run_of(report_of_shell())
    assert [one["name"] for one in run["taxonomies"]] == ["CWE", "OWASP MCP Top 10"]
    assert [item["id"] for item in run["taxonomies"][0]["taxa"]] == ["CWE-20", "CWE-78"]
    assert run["taxonomies"][1]["taxa"] == [
        {"id": "MCP05", "shortDescription": {"text": "Command Injection and Execution."}}
    ]
    assert run["tool"]["driver"]["supportedTaxonomies"] == [
        {"name": "CWE", "index": 0},
        {"name": "OWASP MCP Top 10", "index": 1},
    ]
    shell = next(one for one in run["results"] if one["ruleId"] == SHELL.id)
    assert shell["taxa"] == [
        {"id": "CWE-78", "index": 1, "toolComponent": {"name": "CWE", "index": 0}},
        {"id": "CWE-20", "index": 0, "toolComponent": {"name": "CWE", "index": 0}},
        {"id": "MCP05", "index": 0, "toolComponent": {"name": "OWASP MCP Top 10", "index": 1}},
    ]
    targets = [one["target"] for one in run["tool"]["driver"]["rules"][2]["relationships"]]
    assert targets == shell["taxa"]


def test_without_a_book_there_is_no_more_than_the_report_says() -> None:
    run = run_of(report_of_shell(), None)
    assert run["tool"]["driver"]["rules"][2] == {
        "id": "fuzz/shell",
        "name": "FuzzShell",
        "shortDescription": {"text": "The rule fuzz/shell."},
    }
    assert "taxonomies" not in run


def test_a_tool_is_a_logical_location_and_a_file_a_physical_one() -> None:
    crash, shell = (one["locations"][0] for one in run_of(report_of_shell())["results"][:2])
    assert crash == {
        "physicalLocation": {
            "artifactLocation": {"uri": "src/a%20b.py", "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": 3, "startColumn": 2},
        }
    }
    assert shell["logicalLocations"] == [
        {"name": "command", "fullyQualifiedName": "tools/run/command", "kind": "parameter"}
    ]
    assert shell["physicalLocation"]["artifactLocation"]["uri"] == "server.py"


@pytest.mark.parametrize(
    ("target", "artifact", "uri"),
    [
        (TARGET, None, "server.py"),
        (TARGET, Location(file="client/mcp.json"), "client/mcp.json"),
        (replace(TARGET, cwd="servers/a"), None, "servers/a/server.py"),
        (replace(TARGET, command=("npx", "-y", "server")), None, NO_FILE),
        (replace(TARGET, command=("node", "/opt/server.js")), None, NO_FILE),
        (Target(TargetKind.HTTP, url="https://host/mcp"), None, NO_FILE),
    ],
)
def test_a_result_without_a_file_points_at_an_artifact(
    target: Target, artifact: Location | None, uri: str
) -> None:
    report = replace(report_with(CRASH.finding("m")), target=target)
    location = run_of(report, artifact=artifact)["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == uri
    assert location["region"] == {"startLine": 1}


def test_an_artifact_may_be_a_line() -> None:
    run = run_of(report_with(CRASH.finding("m")), artifact=Location(file="mcp.json", line=7))
    location = run["results"][0]["locations"][0]["physicalLocation"]
    assert location["region"] == {"startLine": 7}


def test_a_file_of_a_checked_folder_has_its_path_in_the_repository() -> None:
    report = report_with(CRASH.finding("m", location=Location(file="src/a.py", line=1)))
    report = replace(report, target=Target(TargetKind.SOURCE, cwd="servers/weather"))
    location = run_of(report)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "servers/weather/src/a.py"


@pytest.mark.parametrize(
    ("location", "region"),
    [
        (Location(file="a"), {"startLine": 1}),
        (Location(file="a", line=0, column=0, end_line=-1), {"startLine": 1}),
        (
            Location(file="a", line=2, column=5, end_line=2, end_column=3),
            {"startLine": 2, "startColumn": 5, "endLine": 2},
        ),
        (
            Location(file="a", line=2, column=5, end_line=3, end_column=3),
            {"startLine": 2, "startColumn": 5, "endLine": 3, "endColumn": 3},
        ),
        (Location(file="a", line=5, end_line=2, end_column=9), {"startLine": 5}),
    ],
)
def test_a_region_is_one_that_sarif_allows(location: Location, region: Json) -> None:
    report = report_with(CRASH.finding("m", location=location))
    assert run_of(report)["results"][0]["locations"][0]["physicalLocation"]["region"] == region


def test_severities_are_levels() -> None:
    made = [CRASH.finding("m", severity=severity, key=severity) for severity in Severity]
    assert [one["level"] for one in run_of(report_with(*made))["results"]] == ["error", "warning", "note"]


def test_fingerprints_stay_when_lines_move() -> None:
    before, after = (
        run_of(report_with(CRASH.finding("m", location=Location("add", file="a.py", line=line))))["results"][
            0
        ]
        for line in (3, 300)
    )
    assert before["partialFingerprints"] == after["partialFingerprints"]
    assert list(before["partialFingerprints"]) == [FINGERPRINT]
    without = run_of(report_with(CRASH.finding("m")))["results"][0]["partialFingerprints"]
    assert without["primaryLocationLineHash"] == without[FINGERPRINT] == CRASH.finding("m").fingerprint


def test_the_id_of_a_run_is_that_of_its_target() -> None:
    report = replace(report_with(), target=replace(TARGET, command_sha256="ab", cwd="."))
    other = replace(report, target=replace(TARGET, command_sha256="cd", cwd="."))
    moved = replace(report, target=replace(TARGET, command_sha256="ab", cwd="b"))
    again = replace(finished(collector()), target=report.target)
    assert automation_id(report) == automation_id(again)
    assert len({automation_id(one) for one in (report, other, moved, replace(report, tool="mcp-x"))}) == 4
    assert run_of(report)["automationDetails"]["id"] == automation_id(report)
    assert automation_id(report).startswith("mcp-fuzz/stdio/")
    assert automation_id(report).endswith("/")


def test_what_is_held_back_is_a_suppressed_result() -> None:
    results = run_of(report_of_shell())["results"]
    assert [one["suppressions"] for one in results] == [
        [],
        [],
        [{"kind": "external", "status": "accepted", "justification": "see the plan"}],
    ]
    assert all("suppressions" not in one for one in run_of(report_with(CRASH.finding("m")))["results"])


def test_errors_limits_and_silence_are_notifications() -> None:
    run = collector()
    run.could_not_tell(HANG.id, "no time")
    run.not_applicable(STYLE.id, "no style")
    run.answered(CRASH.id)
    run.limit(LimitHit("tools", 10, "tools/list"))
    run.error(RunError(ErrorKind.AUTH_REQUIRED, "A login is needed."))
    invocation = run_of(finished(run), exit_code=2)["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert invocation["exitCode"] == 2
    told = [
        (
            one["level"],
            one["descriptor"]["id"],
            one["message"]["text"],
            one.get("associatedRule", {}).get("index"),
        )
        for one in invocation["toolExecutionNotifications"]
    ]
    assert told == [
        ("error", "auth_required", "A login is needed.", None),
        ("warning", "error", "no time", 1),
        ("note", "not-applicable", "no style", 2),
        ("warning", "limit-reached", "tools = 10 (tools/list)", None),
        ("note", "tool-not-checked", f"write_file: {COVERAGE.skipped[0].reason}", None),
    ]


def test_a_complete_run_is_a_success_whatever_it_found() -> None:
    invocation = run_of(report_with(CRASH.finding("m")))["invocations"][0]
    assert invocation["executionSuccessful"] is True
    assert "exitCode" not in invocation


def test_the_verdict_of_a_caller_is_a_property_of_the_run() -> None:
    assert run_of(report_with(), head=Head("BLOCK", Tone.BAD))["properties"]["verdict"] == "BLOCK"


def test_two_renderings_are_equal() -> None:
    report = report_of_shell()
    assert sarif_document(report, BOOK) == sarif_document(report, BOOK)


@pytest.fixture(scope="module")
def schema(data: Path) -> SchemaValidator:
    return compile_schema(json.loads((data / "sarif-schema-2.1.0.json").read_text("utf-8")))


def test_every_log_is_valid(schema: SchemaValidator) -> None:
    assert schema.judges

    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(reports(), st.sampled_from((None, 0, 1)))
    def check(report: Report, code: int | None) -> None:
        document = json.loads(dump_document(sarif_document(report, BOOK, exit_code=code)))
        assert schema.judge(document) is Judgement.VALID, schema.explain(document, 5)

    check()
    for text in ATTEMPTS:
        assert (
            schema.judge(json.loads(dump_document(sarif_document(attacked(text), BOOK)))) is Judgement.VALID
        )
    assert schema.judge({"version": "2.1.0"}) is Judgement.INVALID


def validated(program: Path, folder: Path) -> list[dict[str, Any]]:
    """The complaints of the SARIF SDK, with its rules for GitHub, about each log in a folder."""
    output = folder / "out" / "complaints.sarif"
    output.parent.mkdir()
    command = [str(program), "validate", str(folder / "*.sarif"), "--output", str(output)]
    command += ["--rule-kind", "Sarif;Ghas", "--level", "Error;Warning;Note", "--kind", "Fail", "--quiet"]
    env = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
    subprocess.run(command, check=False, capture_output=True, timeout=100, env=env)
    run = json.loads(output.read_text("utf-8-sig"))["runs"][0]
    assert run["invocations"][0]["executionSuccessful"]
    results: list[dict[str, Any]] = run.get("results", [])
    return results


def test_an_independent_validator_has_no_complaint_of_level_error(
    sarif_multitool: Path, tmp_path: Path
) -> None:
    made = [report_of_shell(), report_with(), finished(collector(), interrupted="Stopped.")]
    made += [attacked(" ".join(ATTEMPTS[number::4])[:500]) for number in range(4)]
    for number, report in enumerate(made):
        name = tmp_path / f"{number}.sarif"
        name.write_bytes(dump_document(sarif_document(report, BOOK, exit_code=0)))
    broken = sarif_document(report_of_shell(), BOOK)
    (tmp_path / "broken.sarif").write_bytes(dump_document({**broken, "version": "2.1.1", "runs": [{}]}))
    complaints = [
        (one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].rpartition("/")[2], one["ruleId"])
        for one in validated(sarif_multitool, tmp_path)
        if one.get("level", "warning") == "error"
    ]
    assert {name for name, _ in complaints} == {"broken.sarif"}, complaints
