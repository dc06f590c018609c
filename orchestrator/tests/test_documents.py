import json
from pathlib import Path
from typing import Any

import pytest

from mcp_check_core.model.report import ErrorKind, RunError
from mcp_check_core.report.journal import Journal, read_journal
from mcp_trust_check.documents import judged, lost_server
from mcp_trust_check.tool_state import State
from orchestrator.tests.made import FUZZ, GUARD, SCHEMAS, finding, report, run, state

CRASH = finding("fuzz/crash", "add")


def without(document: dict[str, Any], *path: str | int) -> dict[str, Any]:
    *way, last = path
    inner: Any = document
    for step in way:
        inner = inner[step]
    del inner[last]
    return document


def test_a_whole_document_is_complete() -> None:
    known = state("fuzz", report("fuzz", [CRASH], score=70))

    assert known.state is State.COMPLETE
    assert known.reason is None
    assert known.score == 70
    assert [one.fingerprint for one in known.findings] == [CRASH.fingerprint]


def renamed(document: dict[str, Any]) -> dict[str, Any]:
    document["verdict"] = document.pop("status")
    return document


def of_version(version: object) -> dict[str, Any]:
    return {**report("fuzz"), "schemaVersion": version}


def with_row(**members: object) -> dict[str, Any]:
    document = report("fuzz", [CRASH])
    document["rules"][0].update(members)
    return document


BAD = [
    (b"", "it printed no report and exited with 0"),
    (b"Traceback (most recent call last):", "what it printed is not a report"),
    (b"[]", "what it printed is not a report"),
    (json.dumps(report("fuzz")).encode()[:-40], "what it printed is not a report"),
    (b"{}", "what it printed is not a report of mcp-fuzz"),
    (report("guard"), "what it printed is not a report of mcp-fuzz"),
    (of_version(2), "its report has schema version 2, and versions 1 to 1 can be read"),
    (of_version(0), "its report has schema version 0"),
    (of_version(True), "its report names no schema version"),
    (of_version("1"), "its report names no schema version"),
    (without(report("fuzz"), "schemaVersion"), "its report names no schema version"),
    (renamed(report("fuzz")), "its report breaks its schema"),
    (without(report("fuzz"), "findings"), "its report breaks its schema"),
    (without(report("fuzz"), "rules", 2), "its report breaks its schema"),
    (
        without(report("fuzz", [CRASH]), "findings", 0),
        "the rule fuzz/crash failed, and its findings are missing",
    ),
    (with_row(outcome="pass"), "the rule fuzz/crash has findings and did not fail"),
    (with_row(findings=2), "the rule fuzz/crash counts 2 findings, and 1 are there"),
    (
        {**report("fuzz", [CRASH]), "status": "pass", "ok": True},
        "its status is pass, and what it holds makes fail",
    ),
    ({**report("fuzz"), "score": None}, "it has no score, and 4 tools were checked"),
]


@pytest.mark.parametrize(("printed", "reason"), BAD)
def test_anything_else_is_incomplete_with_the_reason(printed: dict[str, Any] | bytes, reason: str) -> None:
    known = state("fuzz", printed)

    assert known.state is State.INCOMPLETE
    assert known.document is None
    assert known.score is None
    assert reason in str(known.reason)


def test_a_tool_may_say_itself_that_it_is_incomplete() -> None:
    login = RunError(ErrorKind.AUTH_REQUIRED, "the server asks for a login")
    known = state("fuzz", report("fuzz", [CRASH], errors=[login]))

    assert known.state is State.INCOMPLETE
    assert known.reason == "the server asks for a login"
    assert known.document is not None
    assert [one.rule_id for one in known.findings] == ["fuzz/crash"]


def test_rules_that_did_not_run_are_the_reason() -> None:
    known = state("fuzz", report("fuzz", not_run=["fuzz/crash"]))

    assert known.state is State.INCOMPLETE
    assert known.reason == "fuzz/crash: there was no time"


@pytest.mark.parametrize("ending", [{"exit_code": 3}, {"exit_code": None, "signal": 11}, {"exit_code": 2}])
def test_a_report_with_an_odd_ending_is_incomplete(ending: dict[str, Any]) -> None:
    known = state("fuzz", report("fuzz"), **ending)

    assert known.state is State.INCOMPLETE
    assert str(known.reason).startswith("its report says pass, and the tool ")


def test_a_tool_without_a_schema_is_incomplete() -> None:
    known = judged(FUZZ, run("fuzz", report("fuzz")), None, "the package mcp_fuzz is not installed")

    assert known.state is State.INCOMPLETE
    assert known.reason == "the package mcp_fuzz is not installed"


def test_a_schema_that_is_none_makes_the_tool_incomplete() -> None:
    known = judged(FUZZ, run("fuzz", report("fuzz")), {"type": "nothing"})

    assert known.state is State.INCOMPLETE
    assert "the schema that it publishes cannot be used" in str(known.reason)


def test_what_a_killed_tool_had_written_is_saved(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    journal.started("mcp-fuzz", "2.0.0", [])
    journal.finding(CRASH)
    journal.close()
    contents = read_journal(tmp_path / "journal")
    known = state(
        "fuzz", b'{"half', failure="it used too much memory", journal=contents, exit_code=None, signal=9
    )

    assert known.reason == "it used too much memory"
    assert [one.fingerprint for one in known.findings] == [CRASH.fingerprint]


def test_a_failed_rule_without_findings_still_fires() -> None:
    known = state("fuzz", without(report("fuzz", [CRASH]), "findings"))

    assert [(one.rule_id, one.severity) for one in known.findings] == [("fuzz/crash", "error")]


@pytest.mark.parametrize(
    "member", ["severity", "category", "message", "location", "fingerprint", "certainty"]
)
def test_a_finding_with_a_member_missing_is_kept_and_counts_as_the_worst(member: str) -> None:
    known = state("fuzz", without(report("fuzz", [CRASH]), "findings", 0, member))

    assert known.state is State.INCOMPLETE
    assert [one.rule_id for one in known.findings] == ["fuzz/crash"]
    assert known.findings[0].severity == "error"


def test_findings_of_another_shape_are_no_crash() -> None:
    document = report("fuzz", [CRASH])
    document["findings"] = ["text", None, {"ruleId": 3}, {"ruleId": "fuzz/timeout"}]
    document["rules"] = {"a": 1}
    known = state("fuzz", document)

    assert [one.rule_id for one in known.findings] == ["fuzz/timeout"]


def test_a_lost_server_is_told_from_a_death_that_comes_every_time() -> None:
    always = finding("fuzz/crash", "add", evidence={"reproduced": "3 of 3"})
    flaky = finding("fuzz/crash", "add", evidence={"reproduced": "1 of 3"})
    away = state("fuzz", report("fuzz", [finding("core/no-connection")]))
    early = state("fuzz", report("fuzz", details={"terminatedEarly": {"tool": "add"}}))
    guard = state("guard", report("guard", [finding("guard/server-crashed")]))

    assert lost_server(FUZZ, state("fuzz", report("fuzz", [always]))) is None
    assert lost_server(FUZZ, state("fuzz", report("fuzz"))) is None
    assert (
        lost_server(FUZZ, state("fuzz", report("fuzz", [flaky])))
        == "fuzz/crash, which did not come again each time"
    )
    assert str(lost_server(FUZZ, away)).startswith("core/no-connection: ")
    assert lost_server(FUZZ, early) == "its run ended early, while 'add' was called"
    assert str(lost_server(GUARD, guard)).startswith("guard/server-crashed: ")


def test_the_made_schemas_are_those_of_the_tools() -> None:
    assert set(SCHEMAS) == {GUARD.short, FUZZ.short}
