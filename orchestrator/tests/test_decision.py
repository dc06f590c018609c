import re
from pathlib import Path

import pytest

from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_trust_check.decision import FINDING_RULES, STATE_RULES, Decision, decide, reasons
from orchestrator.tests.made import ERROR, INFO, WARNING, finding, report, seen, state, states

BLOCK, FIX, SHIP = Decision.BLOCK, Decision.FIX_FIRST, Decision.SHIP


def made(rule: str, severity: Severity, category: Category = Category.RELIABILITY, **more: str) -> Finding:
    return finding(rule, severity=severity, category=category, **more)


SECURITY, DOCUMENTATION = Category.SECURITY, Category.DOCUMENTATION
TABLE = [
    # BLOCK
    ("doctor", made("doctor/ssrf", ERROR, SECURITY), "unsafe-source", BLOCK),
    ("fuzz", made("fuzz/crash", ERROR), "server-died", BLOCK),
    ("fuzz", made("fuzz/crash", ERROR, kind="flaky"), "server-died", BLOCK),
    ("reality", made("reality/call-crashed", ERROR), "server-died", BLOCK),
    ("guard", made("guard/server-crashed", ERROR), "server-died", BLOCK),
    ("guard", made("guard/capability-list-missing-response", ERROR), "server-died", BLOCK),
    ("fuzz", made("core/no-connection", ERROR), "never-connected", BLOCK),
    ("guard", made("guard/spawn-failed", ERROR), "never-connected", BLOCK),
    ("guard", made("guard/initialize-timeout", ERROR), "never-connected", BLOCK),
    ("reality", made("reality/disguised-refusal", ERROR), "disguised-refusal", BLOCK),
    ("guard", made("guard/stdout-non-json", ERROR), "stdout-not-protocol", BLOCK),
    ("guard", made("guard/stdout-batch", ERROR), "stdout-not-protocol", BLOCK),
    ("guard", made("guard/initialize-missing-capabilities", ERROR), "handshake-failed", BLOCK),
    ("guard", made("guard/version-reject", ERROR), "handshake-failed", BLOCK),
    ("lint", made("lint/S8", ERROR, SECURITY), "hidden-text", BLOCK),
    ("lint", made("lint/I1", ERROR, kind="known_bad"), "known-bad-release", BLOCK),
    ("lint", made("lint/I1", ERROR), "known-bad-release", BLOCK),
    ("lint", made("lint/lock-description-changed", ERROR), "changed-since-review", BLOCK),
    ("fuzz", made("fuzz/injection-proof", ERROR, SECURITY), "proven-attack", BLOCK),
    ("fuzz", made("fuzz/secret-in-output", ERROR, SECURITY), "proven-attack", BLOCK),
    # FIX-FIRST
    ("doctor", made("doctor/debug-enabled", WARNING, SECURITY), "source-security-warning", FIX),
    ("doctor", made("doctor/bare-except", ERROR, Category.CONFORMANCE), "source-fault", FIX),
    ("doctor", made("doctor/tool-no-description", ERROR, DOCUMENTATION), "source-fault", FIX),
    ("doctor", made("doctor/exit-in-handler", ERROR), "other-error", FIX),
    ("fuzz", made("fuzz/timeout", ERROR), "calls-fail", FIX),
    ("fuzz", made("fuzz/null-default-rejected", ERROR), "calls-fail", FIX),
    ("fuzz", made("fuzz/orphaned-child", WARNING), "orphaned-child", FIX),
    ("reality", made("reality/empty-success", WARNING), "unreal-answer", FIX),
    ("reality", made("reality/error-as-success", ERROR), "unreal-answer", FIX),
    ("reality", made("reality/schema-violation", ERROR), "unreal-answer", FIX),
    ("reality", made("reality/content-invalid", ERROR), "other-error", FIX),
    ("guard", made("guard/version-echo", ERROR), "other-error", FIX),
    ("guard", made("guard/stdout-line-too-large", ERROR), "other-error", FIX),
    ("guard", made("guard/response-id-mismatch", ERROR), "other-error", FIX),
    ("lint", made("lint/S9", ERROR), "other-error", FIX),
    ("lint", made("lint/I1", ERROR, kind="unpinned_source"), "other-error", FIX),
    ("guard", made("guard/process-left-behind", WARNING), "left-behind", FIX),
    ("fuzz", made("fuzz/process-left-behind", WARNING), "left-behind", FIX),
]


@pytest.mark.parametrize(
    ("short", "one", "rule", "decision"), TABLE, ids=lambda value: getattr(value, "rule_id", None)
)
def test_each_row_of_the_table_fires(short: str, one: Finding, rule: str, decision: Decision) -> None:
    fired = reasons([seen(short, one)])

    assert [(reason.rule, reason.decision, reason.tool) for reason in fired if reason.rule == rule] == [
        (rule, decision, short)
    ]
    assert decide(fired) is decision


SILENT = [
    ("guard", made("guard/stdout-non-json", WARNING)),
    ("guard", made("guard/initialize-missing-server-info", WARNING)),
    ("guard", made("guard/slow-shutdown", WARNING)),
    ("guard", made("guard/tool-description-missing", WARNING)),
    ("fuzz", made("fuzz/accepted-invalid", WARNING)),
    ("fuzz", made("fuzz/slow", WARNING)),
    ("reality", made("reality/disguised-refusal", INFO)),
    ("reality", made("reality/error-as-success", WARNING)),
    ("lint", made("lint/S8", WARNING, SECURITY)),
    ("lint", made("lint/I1", WARNING, kind="unpinned")),
    ("lint", made("lint/lock-schema-changed", WARNING)),
    ("doctor", made("doctor/readme-missing", ERROR, DOCUMENTATION)),
    ("doctor", made("doctor/null-default", WARNING)),
    ("doctor", made("doctor/ssrf", INFO, SECURITY)),
]


@pytest.mark.parametrize(("short", "one"), SILENT, ids=lambda value: getattr(value, "rule_id", None))
def test_quality_never_decides(short: str, one: Finding) -> None:
    assert reasons([seen(short, one)]) == ()


def test_every_rule_of_the_table_is_tried() -> None:
    tried = {rule for _, _, rule, _ in TABLE}

    assert tried == {rule.id for rule in FINDING_RULES}
    assert set(STATE_RULES) == {"ended-early", "tool-incomplete"}


def test_nothing_fires_on_clean_tools() -> None:
    fired = reasons(states())

    assert fired == ()
    assert decide(fired) is SHIP


def test_the_worst_wins_and_all_that_fired_are_listed() -> None:
    fired = reasons(
        states(
            guard=state("guard", report("guard", [finding("guard/stdout-non-json")])),
            fuzz=state(
                "fuzz", report("fuzz", [finding("fuzz/internal-error", "add"), finding("fuzz/crash", "add")])
            ),
        )
    )

    assert decide(fired) is BLOCK
    assert [(reason.rule, reason.tool) for reason in fired] == [
        ("stdout-not-protocol", "guard"),
        ("server-died", "fuzz"),
        ("calls-fail", "fuzz"),
    ]


def test_a_finding_that_fired_a_rule_does_not_fire_the_rest() -> None:
    fired = reasons([seen("fuzz", finding("fuzz/crash", "add"))])

    assert [reason.rule for reason in fired] == ["server-died"]


def test_a_run_that_ended_early_blocks() -> None:
    early = state("fuzz", report("fuzz", details={"terminatedEarly": {"tool": "add", "case": 3}}))
    fired = reasons(states(fuzz=early))

    assert [(reason.rule, reason.decision) for reason in fired] == [("ended-early", BLOCK)]


def test_a_tool_that_did_not_answer_is_to_be_fixed_first() -> None:
    fired = reasons(states(guard=state("guard", b"")))

    assert [(reason.rule, reason.decision, reason.tool) for reason in fired] == [
        ("tool-incomplete", FIX, "guard")
    ]


def test_suppressed_findings_fire_nothing() -> None:
    held = state("fuzz", report("fuzz", suppressed=[finding("fuzz/crash", "add")]))

    assert reasons(states(fuzz=held)) == ()


def test_the_readme_lists_every_rule_with_its_decision() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
    listed = re.findall(r"^\| `([a-z-]+)` \| ([A-Z-]+) \|", readme, re.MULTILINE)
    declared = {rule.id: rule.decision for rule in FINDING_RULES} | {
        name: decision for name, (decision, _) in STATE_RULES.items()
    }

    assert dict(listed) == declared
    assert len(listed) == len(declared)
