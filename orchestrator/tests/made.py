"""Documents, runs and states of made-up tools, for tests of everything that judges them."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from mcp_check_core.model.finding import Category, Finding, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import (
    Coverage,
    Outcome,
    Report,
    RuleResult,
    RunError,
    Score,
    Status,
    Suppressed,
    Target,
    TargetKind,
    Timings,
)
from mcp_check_core.model.rule import Rule
from mcp_check_core.report.document import to_document
from mcp_check_core.report.json_format import dump_document
from mcp_check_core.report.schema import tool_schema
from mcp_trust_check.document import GateResult, RunFacts, merged_document
from mcp_trust_check.documents import judged
from mcp_trust_check.gate import Gate
from mcp_trust_check.judgement import judge
from mcp_trust_check.run.outcome import ToolRun
from mcp_trust_check.run.tool_process import ToolLimits
from mcp_trust_check.tool_state import State, ToolState
from mcp_trust_check.toolset import FUZZ, GUARD, TOOLS, Tool

RELIABILITY, CONFORMANCE, SECURITY = Category.RELIABILITY, Category.CONFORMANCE, Category.SECURITY
ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

RULES: Mapping[str, tuple[Rule, ...]] = {
    "guard": (
        Rule("guard/stdout-non-json", "noise", ERROR, CONFORMANCE, defect="stdout-noise"),
        Rule("guard/server-crashed", "crash", ERROR, RELIABILITY, defect="server-death"),
        Rule("guard/capability-list-error", "list", ERROR, CONFORMANCE),
        Rule("guard/process-left-behind", "left", WARNING, RELIABILITY, defect="process-left-behind"),
        Rule("guard/tool-description-missing", "text", WARNING, CONFORMANCE),
    ),
    "fuzz": (
        Rule("fuzz/crash", "crash", ERROR, RELIABILITY, defect="server-death"),
        Rule("fuzz/internal-error", "internal", ERROR, RELIABILITY),
        Rule("fuzz/accepted-invalid", "accepted", WARNING, CONFORMANCE),
        Rule("fuzz/process-left-behind", "left", WARNING, RELIABILITY, defect="process-left-behind"),
        Rule("core/no-connection", "none", ERROR, RELIABILITY, defect="no-connection"),
    ),
}
RULE = {rule.id: rule for rules in RULES.values() for rule in rules}
BY_SHORT = {tool.short: tool for tool in TOOLS}
_DETAILS: dict[str, Mapping[str, Json]] = {
    "guard": {"type": "object"},
    "fuzz": {"type": "object", "required": ["outcomes", "terminatedEarly"]},
}
SCHEMAS = {
    short: tool_schema(tool=BY_SHORT[short].command, details=_DETAILS[short], rules=rules)
    for short, rules in RULES.items()
}
TARGET: Json = {
    "kind": "stdio",
    "command": ["python", "server.py"],
    "commandSha256": None,
    "url": None,
    "cwd": ".",
    "environment": [],
    "server": {"name": "demo", "version": "1.0", "protocol": "2025-11-25"},
}
CLEAN_OUTCOMES: Json = [{"tool": "add", "phase": "valid", "outcomes": {"ok": 4}}]


def finding(rule: str, tool: str | None = None, **changes: Any) -> Finding:  # noqa: ANN401 - members of whatever type
    """Make a finding of a rule, of the made-up ones or any other."""
    declared = RULE.get(rule) or Rule(rule, rule, ERROR, RELIABILITY)
    made = declared.finding(
        f"{rule} was seen.", location=Location(tool=tool), hint="Mend it.", evidence={"seen": "yes"}
    )
    return replace(made, **changes)


def report(
    short: str,
    findings: Sequence[Finding] = (),
    *,
    score: float | None = 100.0,
    checked: int = 4,
    total: int = 4,
    not_run: Sequence[str] = (),
    errors: Sequence[RunError] = (),
    suppressed: Sequence[Finding] = (),
    details: Mapping[str, Json] | None = None,
) -> dict[str, Any]:
    """Make a document of a tool that says so."""
    own: dict[str, Json] = {"outcomes": CLEAN_OUTCOMES, "terminatedEarly": None} if short == "fuzz" else {}
    made = Report(
        tool=BY_SHORT[short].command,
        tool_version="2.0.0",
        core_version="2.0.0",
        target=Target(TargetKind.STDIO, command=("server",)),
        rules=tuple(_answer(rule.id, findings, not_run) for rule in RULES[short]),
        findings=tuple(findings),
        timings=Timings(datetime(2026, 1, 2, tzinfo=UTC), 5.0),
        score=None if score is None else Score(score, "what was counted"),
        coverage=Coverage(total, checked),
        suppressed=tuple(Suppressed(one, "accepted") for one in suppressed),
        errors=tuple(errors),
        details={**own, **(details or {})},
    )
    if made.status is Status.INCOMPLETE:
        made = replace(made, score=None)
    return copy.deepcopy(to_document(made))


def _answer(rule: str, findings: Sequence[Finding], not_run: Sequence[str]) -> RuleResult:
    count = sum(one.rule_id == rule for one in findings)
    if count:
        return RuleResult(rule, Outcome.FAIL, findings=count)
    if rule in not_run:
        return RuleResult(rule, Outcome.NOT_RUN, "there was no time")
    return RuleResult(rule, Outcome.PASS)


def run(short: str, document: Mapping[str, Any] | bytes, **changes: Any) -> ToolRun:  # noqa: ANN401 - members of whatever type
    """Make the run that printed a document."""
    printed = document if isinstance(document, bytes) else dump_document(document)
    incomplete = not isinstance(document, bytes) and document.get("status") == "incomplete"
    return replace(ToolRun(short, stdout=printed, exit_code=2 if incomplete else 0, ended=1.0), **changes)


def state(short: str, document: Mapping[str, Any] | bytes, **changes: Any) -> ToolState:  # noqa: ANN401 - members of whatever type
    """Judge a document of a made-up tool."""
    return judged(BY_SHORT[short], run(short, document, **changes), SCHEMAS[short])


def left_out(tool: Tool, why: State = State.NOT_IN_THIS_VERSION) -> ToolState:
    """Make the state of a tool that did not run."""
    return ToolState(tool.short, tool.command, tool.runtime, why, "not in this version")


def states(guard: ToolState | None = None, fuzz: ToolState | None = None) -> list[ToolState]:
    """Make the five states of a run; both tools are clean unless given."""
    made = {
        "guard": guard or state("guard", report("guard")),
        "fuzz": fuzz or state("fuzz", report("fuzz")),
    }
    return [made.get(tool.short) or left_out(tool) for tool in TOOLS]


def seen(short: str, *findings: Finding) -> ToolState:
    """Make the state of any tool, also one of a later version, that has these findings."""
    tool = BY_SHORT[short]
    return ToolState(tool.short, tool.command, tool.runtime, State.COMPLETE, None, None, findings)


def merged(
    known: Sequence[ToolState],
    gate: Gate | None = None,
    *,
    runs: Mapping[str, ToolRun] | None = None,
    interrupted: str | None = None,
) -> dict[str, Json]:
    """Make the merged document of a run that ended so."""
    judgement, gate = judge(known), gate or Gate()
    code = int(gate.exit_code(judgement, interrupted=interrupted is not None))
    facts = RunFacts(
        runs=runs or {},
        again={},
        limits=ToolLimits(),
        max_processes=64,
        run_s=900.0,
        jobs=2,
        started_at=datetime(2026, 1, 2, tzinfo=UTC),
        duration_s=1.5,
        interrupted=interrupted,
    )
    result = GateResult(gate.fail_on.value, gate.fail_under, gate.broken_by(judgement), code)
    return merged_document(judgement, facts, result, TARGET, ("2.0.0", "2.0.0"))


__all__ = [
    "FUZZ",
    "GUARD",
    "RULES",
    "SCHEMAS",
    "finding",
    "left_out",
    "report",
    "run",
    "seen",
    "state",
    "states",
]
