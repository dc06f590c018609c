from typing import Any

import pytest

from mcp_check_core.cli.exit_code import ExitCode
from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_trust_check.confidence import Level, confidence
from mcp_trust_check.decision import Decision
from mcp_trust_check.exercise import exercised
from mcp_trust_check.fail_on import FailOn
from mcp_trust_check.gate import Gate
from mcp_trust_check.judgement import judge
from mcp_trust_check.score import combined
from mcp_trust_check.tool_state import State, ToolState
from mcp_trust_check.toolset import FUZZ, GUARD, TOOLS
from orchestrator.tests.made import finding, left_out, report, state, states

LOW, MEDIUM, HIGH = Level.LOW, Level.MEDIUM, Level.HIGH
CRASH = finding("fuzz/crash", "add")
TIMEOUT = finding("fuzz/internal-error", "add")


def fuzz(*findings: Finding, **more: Any) -> ToolState:  # noqa: ANN401 - options of `report`
    return state("fuzz", report("fuzz", findings, **more))


def guard(*findings: Finding, **more: Any) -> ToolState:  # noqa: ANN401 - options of `report`
    return state("guard", report("guard", findings, **more))


def everything(**changes: ToolState) -> list[ToolState]:
    """The states of a version in which all five tools run."""
    document: dict[str, Json] = {
        "score": {"value": 100.0},
        "details": {"judged": 3, "unresolved": [], "tools": ["add"]},
    }
    made = {
        tool.short: ToolState(tool.short, tool.command, tool.runtime, State.COMPLETE, None, document)
        for tool in TOOLS
    }
    return list({**made, "guard": guard(), "fuzz": fuzz(), **changes}.values())


def test_the_score_is_the_plain_mean_of_the_tools_that_had_something_to_judge() -> None:
    known = combined(states(guard=guard(score=80.0), fuzz=fuzz(score=65.5)))

    assert (known.value, known.grade, known.over, known.partial) == (72.8, "C", ("guard", "fuzz"), None)
    assert [short for short, _ in known.without] == ["doctor", "lint", "reality"]


def test_a_tool_with_nothing_to_judge_leaves_the_mean_and_is_named() -> None:
    known = combined(states(guard=guard(score=80.0), fuzz=fuzz(score=None, checked=0)))

    assert (known.value, known.over) == (80.0, ("guard",))
    assert ("fuzz", "it found nothing that may be judged") in known.without


def test_there_is_no_score_where_a_tool_did_not_answer() -> None:
    known = combined(states(guard=guard(score=80.0), fuzz=state("fuzz", b"")))

    assert (known.value, known.grade, known.over, known.partial) == (None, None, (), 80.0)


def test_there_is_no_score_where_nothing_could_be_judged() -> None:
    known = combined(states(guard=guard(score=None, checked=0), fuzz=fuzz(score=None, checked=0)))

    assert (known.value, known.partial) == (None, None)


def test_a_mean_is_never_rounded_up_to_full() -> None:
    assert combined(states(guard=guard(score=99.9))).value == 99.9


CONFIDENCES = [
    (everything(), HIGH, "4 of 4 tools were exercised"),
    (everything(fuzz=fuzz(checked=8, total=10)), HIGH, "8 of 10 tools were exercised"),
    (everything(fuzz=fuzz(checked=7, total=10)), MEDIUM, "7 of 10 tools were exercised"),
    (everything(fuzz=fuzz(checked=5, total=10)), MEDIUM, "5 of 10 tools were exercised"),
    (everything(fuzz=fuzz(checked=4, total=10)), LOW, "4 of 10 tools were exercised, fewer than half"),
    (everything(fuzz=fuzz(score=None, checked=0, total=0)), LOW, "no tool of the server is known"),
    (everything(fuzz=left_out(FUZZ, State.SKIPPED)), LOW, "it is not known how many"),
    (everything(guard=left_out(GUARD, State.SKIPPED)), MEDIUM, "guard was skipped"),
    (everything(guard=state("guard", b"")), LOW, "guard did not finish"),
    (everything(guard=guard(score=None, checked=0)), MEDIUM, "guard found nothing that may be judged"),
    (states(), MEDIUM, "doctor, lint, reality: not in this version"),
    (states(fuzz=fuzz(details={"outcomes": []})), LOW, "no call succeeded"),
    (
        states(guard=left_out(GUARD, State.SKIPPED), fuzz=left_out(FUZZ, State.SKIPPED)),
        LOW,
        "no tool finished",
    ),
]


@pytest.mark.parametrize(("known", "level", "reason"), CONFIDENCES)
def test_confidence_has_a_level_and_its_reasons(known: list[ToolState], level: Level, reason: str) -> None:
    judged = confidence(known, Decision.SHIP)

    assert judged.level is level
    assert any(said.startswith(reason) for said in judged.reasons), judged.reasons


def test_doctor_that_could_not_resolve_much_lowers_the_confidence() -> None:
    details: Json = {"unresolved": ["a", "b"], "tools": ["c", "d", "e"]}
    doctor = ToolState(
        "doctor", "mcp-doctor", False, State.COMPLETE, None, {"score": {"value": 90}, "details": details}
    )

    assert confidence(everything(doctor=doctor), Decision.SHIP).level is MEDIUM


def test_reality_with_nothing_judged_is_low() -> None:
    nothing = ToolState(
        "reality", "mcp-reality-check", True, State.COMPLETE, None, {"details": {"judged": 0}}
    )

    assert confidence(everything(reality=nothing), Decision.SHIP).level is LOW


def test_a_block_is_certain_and_still_says_what_was_not_checked() -> None:
    judged = confidence(states(guard=state("guard", b"")), Decision.BLOCK)

    assert judged.level is HIGH
    assert "doctor, lint, reality: not in this version" in judged.reasons


def test_exercised_is_what_fuzz_called() -> None:
    known = exercised(states(fuzz=fuzz(checked=3, total=7)))

    assert (known.checked, known.total, known.successes, known.percent) == (3, 7, 4, 42.9)


def test_counts_are_of_faults_and_of_tools_without_an_answer() -> None:
    judged = judge(states(guard=state("guard", b""), fuzz=fuzz(CRASH, TIMEOUT)))

    assert (judged.decision, judged.blocker_count, judged.fix_count) == (Decision.BLOCK, 1, 2)


def test_only_ship_with_high_confidence_needs_no_human() -> None:
    assert judge(everything()).needs_human_review is False
    assert judge(states()).needs_human_review is True
    assert judge(states(fuzz=fuzz(CRASH))).needs_human_review is True


def test_the_same_defect_of_two_tools_stands_once_with_both_named() -> None:
    left = finding("guard/process-left-behind"), finding("fuzz/process-left-behind")
    judged = judge(states(guard=guard(left[0]), fuzz=fuzz(left[1])))

    assert [[one.short for one in fault.sightings] for fault in judged.findings] == [["fuzz", "guard"]]
    assert (judged.blocker_count, judged.fix_count) == (0, 1)


def test_a_defect_of_another_tool_of_the_server_is_another_fault() -> None:
    judged = judge(states(guard=guard(finding("guard/server-crashed")), fuzz=fuzz(CRASH)))

    assert [len(fault.sightings) for fault in judged.findings] == [1, 1]


def test_two_findings_of_one_tool_are_never_joined() -> None:
    flaky = finding("fuzz/crash", "add", key="second")
    judged = judge(states(fuzz=fuzz(CRASH, flaky)))

    assert [len(fault.sightings) for fault in judged.findings] == [1, 1]


def test_what_decides_comes_first() -> None:
    described = finding("guard/tool-description-missing", "add")
    listed = finding("guard/capability-list-error")
    judged = judge(states(guard=guard(described, listed), fuzz=fuzz(CRASH)))

    assert [fault.finding.rule_id for fault in judged.findings] == [
        "fuzz/crash",
        "guard/capability-list-error",
        "guard/tool-description-missing",
    ]


BLOCK, FIX, SHIP = states(fuzz=fuzz(CRASH)), states(fuzz=fuzz(TIMEOUT)), states()
UNKNOWN = states(guard=state("guard", b""))
GATES = [
    (BLOCK, FailOn.NEVER, 0.0, ExitCode.OK),
    (BLOCK, FailOn.BLOCK, 0.0, ExitCode.GATE),
    (BLOCK, FailOn.FIX, 0.0, ExitCode.GATE),
    (FIX, FailOn.NEVER, 0.0, ExitCode.OK),
    (FIX, FailOn.BLOCK, 0.0, ExitCode.OK),
    (FIX, FailOn.FIX, 0.0, ExitCode.GATE),
    (SHIP, FailOn.FIX, 0.0, ExitCode.OK),
    (SHIP, FailOn.REVIEW, 0.0, ExitCode.GATE),
    (everything(), FailOn.REVIEW, 0.0, ExitCode.OK),
    (SHIP, FailOn.NEVER, 100.0, ExitCode.OK),
    (states(guard=guard(score=50.0)), FailOn.NEVER, 76.0, ExitCode.GATE),
    (UNKNOWN, FailOn.NEVER, 0.0, ExitCode.UNUSABLE),
    (UNKNOWN, FailOn.BLOCK, 0.0, ExitCode.UNUSABLE),
    (UNKNOWN, FailOn.FIX, 0.0, ExitCode.GATE),
    (UNKNOWN, FailOn.NEVER, 1.0, ExitCode.GATE),
    (states(guard=state("guard", b""), fuzz=fuzz(CRASH)), FailOn.NEVER, 0.0, ExitCode.OK),
]


@pytest.mark.parametrize(("known", "fail_on", "fail_under", "code"), GATES)
def test_the_gate_chooses_the_exit_code(
    known: list[ToolState], fail_on: FailOn, fail_under: float, code: ExitCode
) -> None:
    judged = judge(known)

    assert Gate(fail_on, fail_under).exit_code(judged, interrupted=False) is code
    assert Gate(fail_on, fail_under).exit_code(judged, interrupted=True) is ExitCode.INTERRUPTED
