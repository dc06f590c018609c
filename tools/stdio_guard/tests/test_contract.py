"""The document: its committed schema, its derived members, and that ignorance never helps."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.report import Outcome, RuleResult
from mcp_check_core.report.rule_file import RULE_FILE, rules_difference
from mcp_check_core.report.schema import schema_difference, validate, without_volatile
from mcp_stdio_guard.contract.document_schema import document_schema
from mcp_stdio_guard.contract.issues import issue, issue_classes, summary
from mcp_stdio_guard.contract.outcome import CAP, Judged, score
from mcp_stdio_guard.plan import Plan
from mcp_stdio_guard.registry import DECLARED, RULES, declared_of
from tools.stdio_guard.tests.harness import document, guard, script, zoo

SCHEMA = document_schema()
SLUGS = [rule.slug for rule in RULES]


def test_the_committed_schema_is_the_made_one() -> None:
    committed = Path(__file__).parents[1] / "src" / "mcp_stdio_guard" / "schema.json"
    assert schema_difference(committed.read_text("utf-8"), SCHEMA) == ""


def test_the_committed_rules_are_those_of_the_registry() -> None:
    committed = Path(__file__).parents[1] / "src" / "mcp_stdio_guard" / RULE_FILE
    assert rules_difference(committed.read_text("utf-8"), RULES) == ""


def test_rules_are_announced_once_and_count_in_a_check() -> None:
    assert len(set(SLUGS)) == len(SLUGS)
    assert all(declared.checks for declared in DECLARED)


@pytest.mark.anyio
@pytest.mark.parametrize("server", ["demo/planted.py", "tool_drift.py", "daemon_left_behind.py"])
async def test_reports_are_valid_and_every_rule_has_answered(server: str) -> None:
    check = guard(zoo(server), Plan(repeat=2))
    await check.run()
    made = document(check.report(None))
    assert validate(made, SCHEMA) == []
    assert {rule["outcome"] for rule in made["rules"]} <= {"pass", "fail", "not_applicable"}
    assert [rule["rule"] for rule in made["rules"]] == [rule.id for rule in RULES]
    assert {f"guard/{one['code']}" for one in made["issues"]} == {one["ruleId"] for one in made["findings"]}
    assert all("run" in one for one in made["runs"])


@pytest.mark.anyio
@pytest.mark.parametrize("server", ["demo/planted.py", "exit_after_initialize.py", "eof_ignored.py"])
async def test_two_checks_of_one_server_are_equal(server: str) -> None:
    made: list[dict[str, Any]] = []
    for _ in range(2):
        check = guard(zoo(server), Plan(extras=server != "eof_ignored.py"))
        await check.run()
        made.append(without_volatile(document(check.report(None)), SCHEMA))
    assert made[0] == made[1]


@pytest.mark.anyio
async def test_drift_names_the_runs(tmp_path: Path) -> None:
    check = guard(zoo("tool_drift.py"), Plan(repeat=3))
    await check.run()
    made = document(check.report(None))
    assert made["drift"]["status"] == "warning"
    assert made["drift"]["issueCodes"] == ["repeat-tool-drift"]
    assert made["drift"]["tools"] == {"changedRuns": [2, 3]}
    assert made["drift"]["capabilities"] == {"changedRuns": []}
    assert made["checks"]["repeat"]["runs"] == 3


@pytest.mark.anyio
async def test_a_run_that_never_began_is_incomplete() -> None:
    check = guard(zoo("demo/fixed.py"), Plan())
    made = document(check.report("stopped by SIGTERM before the check was done"))
    assert validate(made, SCHEMA) == []
    assert (made["status"], made["score"]) == ("incomplete", None)
    assert {rule["outcome"] for rule in made["rules"]} == {"not_run"}


@pytest.mark.anyio
async def test_a_request_in_vain_is_judged(tmp_path: Path) -> None:
    argv = script(tmp_path, {"sent": {"method": "tools/list", "id": 2}}, {"exit": 3})
    check = guard(argv, Plan())
    await check.run()
    made = document(check.report(None))
    assert {one["code"] for one in made["issues"]} == {"server-crashed", "capability-list-missing-response"}
    assert made["process"]["phase"] == "operation"


def finding(slug: str, severity: Severity) -> Finding:
    return replace(declared_of(f"guard/{slug}").finding("It was seen."), severity=severity)


def judged(findings: Sequence[Finding], answered: set[str]) -> Judged:
    def result(rule: str) -> RuleResult | None:
        failed = any(one.rule_id == rule for one in findings)
        if failed:
            return RuleResult(rule, Outcome.FAIL)
        passed = rule.partition("/")[2] in answered
        return RuleResult(rule, Outcome.PASS if passed else Outcome.NOT_APPLICABLE, "nothing to judge")

    return Judged(runs=(), by_run={}, findings=tuple(findings), result=result)


FOUND = st.lists(st.builds(finding, st.sampled_from(SLUGS), st.sampled_from(list(Severity))), max_size=6)


@given(FOUND, st.sets(st.sampled_from(SLUGS)), st.sets(st.sampled_from(SLUGS)))
def test_an_answer_that_is_missing_never_raises_the_score(
    findings: list[Finding], answered: set[str], more: set[str]
) -> None:
    less, full = score(judged(findings, answered)), score(judged(findings, answered | more))
    assert less is None or (full is not None and less.value <= full.value)


@given(FOUND)
def test_an_error_on_the_wire_caps_the_score(findings: list[Finding]) -> None:
    capped = score(judged([*findings, finding("stdout-non-json", Severity.ERROR)], set(SLUGS)))
    assert capped is not None
    assert capped.value <= CAP


@given(FOUND)
def test_issues_follow_from_findings(findings: list[Finding]) -> None:
    issues = [issue(one) for one in findings]
    counts = summary(findings, complete=True)["issueCounts"]
    assert isinstance(counts, dict)
    assert counts["total"] == len(issues)
    assert counts["error"] == sum(one["severity"] == "error" for one in issues)
    classes = issue_classes(findings)
    told = {code for one in classes.values() for code in one["issueCodes"]}  # type: ignore[index,call-overload,union-attr]
    assert told == {one["code"] for one in issues}


@pytest.mark.parametrize(
    ("slugs", "complete", "status", "issue_class"),
    [
        ([], True, "pass", ""),
        ([], False, "needs_inspection", ""),
        (["slow-shutdown"], True, "warning", "installRuntime"),
        (["server-exited"], True, "needs_inspection", "installRuntime"),
        (["server-exited", "stdout-non-json"], True, "fail", "mixed"),
        (["stdout-non-json", "slow-shutdown"], True, "fail", "stdioTransport"),
        (["version-echo"], True, "fail", "mcpProtocol"),
    ],
)
def test_summary(slugs: list[str], complete: bool, status: str, issue_class: str) -> None:
    findings = [declared_of(f"guard/{slug}").finding("It was seen.") for slug in slugs]
    made = summary(findings, complete=complete)
    assert (made["status"], made["issueClass"]) == (status, issue_class)
