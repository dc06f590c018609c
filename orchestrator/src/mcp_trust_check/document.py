"""The merged document: everything that is known of a run, in the form that is published.

This is the only place that knows both the internal types and the published names; every other format is a
function of what is made here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from mcp_check_core.model.json_value import Json
from mcp_check_core.report.document import finding_document, milliseconds, utc_text
from mcp_trust_check.decision import Decision, Reason
from mcp_trust_check.judgement import Judgement
from mcp_trust_check.merge import MergedFinding
from mcp_trust_check.run.outcome import ToolRun
from mcp_trust_check.run.tool_process import ToolLimits
from mcp_trust_check.tool_state import State, ToolState

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class GateResult:
    """The gate that was asked for, why it does not hold (None: it does), and the exit code."""

    fail_on: str
    fail_under: float
    broken: str | None
    exit_code: int


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known of the run itself: runs by short name, limits (seconds, bytes), times.

    `again` says of a tool that ran twice why; `max_processes` is what a server may have at once.
    """

    runs: Mapping[str, ToolRun]
    again: Mapping[str, str]
    limits: ToolLimits
    max_processes: int
    run_s: float
    jobs: int
    started_at: datetime
    duration_s: float
    interrupted: str | None = None


def merged_document(
    judgement: Judgement, facts: RunFacts, gate: GateResult, target: Json, versions: tuple[str, str]
) -> dict[str, Json]:
    """Make the document. `target` is that of the shared envelope; `versions` are ours and core's."""
    return {
        "schemaVersion": SCHEMA_VERSION,
        "tool": {"name": "mcp-trust-check", "version": versions[0], "core": versions[1]},
        "target": target,
        "decision": judgement.decision.value,
        "reasons": [_reason(reason) for reason in judgement.reasons],
        "blockerCount": judgement.blocker_count,
        "fixCount": judgement.fix_count,
        "confidence": {
            "level": judgement.confidence.level.value,
            "reasons": list(judgement.confidence.reasons),
        },
        "needsHumanReview": judgement.needs_human_review,
        "coveragePercent": judgement.exercise.percent,
        "combined": _combined(judgement),
        "gate": {
            "failOn": gate.fail_on,
            "failUnder": gate.fail_under,
            "broken": gate.broken,
            "exitCode": gate.exit_code,
        },
        "interrupted": facts.interrupted,
        "tools": {state.short: _tool(state, facts) for state in judgement.states},
        "findings": [_finding(fault) for fault in judgement.findings],
        "suppressed": [held for state in judgement.states for held in _suppressed(state)],
        "limits": _limits(facts),
        "limitsHit": [hit for state in judgement.states for hit in _limits_hit(state, facts)],
        "timings": _timings(facts),
    }


def _reason(reason: Reason) -> dict[str, Json]:
    return {
        "rule": reason.rule,
        "decision": reason.decision.value,
        "tool": reason.tool,
        "means": reason.means,
        "findings": [finding.fingerprint for finding in reason.findings],
    }


def _combined(judgement: Judgement) -> dict[str, Json]:
    combined = judgement.combined
    return {
        "value": combined.value,
        "grade": combined.grade,
        "over": list(combined.over),
        "without": [{"tool": short, "reason": reason} for short, reason in combined.without],
        "partialScore": combined.partial,
    }


def _tool(state: ToolState, facts: RunFacts) -> dict[str, Json]:
    run = facts.runs.get(state.short)
    members: dict[str, Json] = {
        "command": state.command,
        "state": state.state.value,
        "reason": state.reason,
        "ranAgain": facts.again.get(state.short),
        "process": run.facts if run and state.state is State.INCOMPLETE else None,
        "document": None if state.document is None else dict(state.document),
    }
    return members


def _finding(fault: MergedFinding) -> dict[str, Json]:
    return {
        **finding_document(fault.finding),
        "decision": None if fault.decision is Decision.SHIP else fault.decision.value,
        "rules": list(fault.rules),
        "seenBy": [
            {"tool": one.short, "ruleId": one.finding.rule_id, "fingerprint": one.finding.fingerprint}
            for one in fault.sightings
        ],
    }


def _suppressed(state: ToolState) -> list[dict[str, Json]]:
    ours = [{**finding_document(one.finding), "reason": one.reason} for one in state.held]
    return [{**held, "tool": state.short} for held in (*ours, *_objects(state, "suppressed"))]


def _limits_hit(state: ToolState, facts: RunFacts) -> list[dict[str, Json]]:
    hits = [{"tool": state.short, **hit} for hit in _objects(state, "limitsHit")]
    run = facts.runs.get(state.short)
    if run and run.limit:
        hit = run.limit
        hits.append({"tool": state.short, "limit": hit.limit, "value": hit.value, "where": hit.where})
    return hits


def _limits(facts: RunFacts) -> dict[str, Json]:
    return {
        "runTimeoutMs": milliseconds(1000 * facts.run_s),
        "toolTimeoutMs": milliseconds(1000 * facts.limits.wall_s),
        "maxMemoryBytes": facts.limits.memory,
        "maxProcesses": facts.max_processes,
        "maxOutputBytes": facts.limits.output,
        "jobs": facts.jobs,
    }


def _timings(facts: RunFacts) -> dict[str, Json]:
    return {
        "startedAt": utc_text(facts.started_at),
        "durationMs": milliseconds(1000 * facts.duration_s),
        "tools": {
            short: {
                "durationMs": milliseconds(1000 * (run.ended - run.began)),
                "cpuMs": milliseconds(1000 * run.usage.cpu_s),
                "peakMemoryBytes": run.usage.peak_rss,
                "peakProcesses": run.usage.peak_processes,
            }
            for short, run in facts.runs.items()
        },
    }


def _objects(state: ToolState, name: str) -> list[dict[str, Json]]:
    items = state.document.get(name) if state.document else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
