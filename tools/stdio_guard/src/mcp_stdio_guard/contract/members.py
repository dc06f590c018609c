"""The members of the document that are guard's own, beside the common envelope."""

import os
import platform
import sys
from collections.abc import Mapping
from pathlib import Path

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.client_side import CLIENT_CAPABILITIES
from mcp_stdio_guard._version import __version__
from mcp_stdio_guard.contract.issues import codes, issue, issue_classes, summary, worst
from mcp_stdio_guard.contract.outcome import CheckResult, CheckStatus, Judged, check_results, code_of
from mcp_stdio_guard.contract.run_members import (
    capability_checks,
    capability_keys,
    operations,
    process,
    run_result,
    tool_schema,
)
from mcp_stdio_guard.contract.setting import Setting
from mcp_stdio_guard.facts.definitions import definition_digests, list_counts, tool_counts
from mcp_stdio_guard.facts.run import ProcessFacts, RunFacts
from mcp_stdio_guard.facts.versions import UNSPOKEN
from mcp_stdio_guard.plan import Profile
from mcp_stdio_guard.rules.declare import CheckName
from mcp_stdio_guard.rules.drift import changed

NOTHING = RunFacts(
    0, ProcessFacts(spawn_code="", spawn_message="the run ended before the server was started")
)
STRICT_NOTE = (
    "the adversarial probes that this profile names are not part of this version; everything else of it ran"
)


def extra_members(setting: Setting, judged: Judged, *, interrupted: bool) -> dict[str, Json]:
    """Make guard's members at the top of the document."""
    run = judged.first or NOTHING
    findings = judged.findings
    own = judged.by_run.get(run.number, ())
    asked = operations(run)
    checks = check_results(judged)
    return {
        "config": _no_config(),
        "profile": setting.plan.profile.value,
        "command": list(setting.server.described.command or ()),
        "protocol": "auto",
        "negotiatedProtocol": run.protocol,
        "initialized": judged.initialized,
        "operation": asked[0] if asked else None,
        "operations": list(asked),
        "adversarial": {"enabled": False, "probes": []},
        "toolSchema": tool_schema(run, own),
        "capabilityProbes": {"enabled": setting.plan.extras, "methods": [one.method for one in run.lists]},
        "capabilityKeys": capability_keys(run),
        "capabilityChecks": capability_checks(run),
        "drift": drift(judged, checks[CheckName.REPEAT]),
        "process": process(run),
        "checks": checks_member(judged, checks),
        "issueClasses": issue_classes(findings),
        "summary": summary(findings, complete=not interrupted and bool(judged.runs)),
        "fingerprint": fingerprint(setting),
        "issues": [issue(finding) for finding in findings],
        "staticScan": {"enabled": False, "path": None, "failOnFindings": False},
        "staticFindings": [],
        "runs": [run_result(one, judged.by_run.get(one.number, ())) for one in judged.runs],
    }


def details(setting: Setting, judged: Judged, *, starts: int) -> dict[str, Json]:
    """Make the member `details`."""
    notes: list[Json] = [STRICT_NOTE] if setting.plan.profile is Profile.STRICT else []
    return {
        "starts": starts,
        "clientCapabilities": dict(CLIENT_CAPABILITIES),
        "offeredVersions": list(UNSPOKEN) if setting.plan.extras and judged.initialized else [],
        "watchedMs": round(1000 * setting.plan.watch_s),
        "notes": notes,
    }


def checks_member(judged: Judged, checks: Mapping[CheckName, CheckResult]) -> dict[str, Json]:
    """Make the member `checks`."""
    member: dict[str, Json] = {}
    for name, check in checks.items():
        described: dict[str, Json] = {"status": check.status.value, "issueCodes": list(check.codes)}
        if name is CheckName.CAPABILITIES:
            described |= {one: _capability(judged, one) for one in ("tools", "resources", "prompts")}
        if name is CheckName.REPEAT:
            described |= _runs_passed(judged)
        member[name.value] = described
    return member


def _capability(judged: Judged, capability: str) -> Json:
    run = judged.first or NOTHING
    found = [
        finding
        for finding in judged.findings
        if code_of(finding).startswith("capability-list")
        and str(finding.evidence.get("method", "")).startswith(f"{capability}/")
    ]
    asked = any(listing.method.startswith(f"{capability}/") for listing in run.lists)
    status = worst(found) if asked or found else CheckStatus.SKIPPED.value
    return {"status": status, "issueCodes": codes(found)}


def _runs_passed(judged: Judged) -> dict[str, Json]:
    statuses = [worst(judged.by_run.get(run.number, ())) for run in judged.runs]
    failed = statuses.count("fail")
    return {"runs": len(statuses), "passedRuns": len(statuses) - failed, "failedRuns": failed}


def drift(judged: Judged, check: CheckResult) -> dict[str, Json]:
    """Say what changed between the runs that made the handshake, and in which."""
    able = [run for run in judged.runs if run.initialized]
    base, others = (able[0], able[1:]) if able else (NOTHING, [])
    lists = {name: _changed_list(base, others, f"{name}/list") for name in ("resources", "prompts")}
    return {
        "status": check.status.value,
        "issueCodes": list(check.codes),
        "baselineRun": base.number if others else None,
        "comparedRuns": [run.number for run in others],
        "negotiatedProtocol": _runs(changed(base, others, lambda run: run.protocol)),
        "capabilities": _runs(changed(base, others, lambda run: frozenset(run.capabilities))),
        "tools": _runs(changed(base, others, lambda run: (tool_counts(run), definition_digests(run)))),
        "lists": dict(lists),
    }


def _changed_list(base: RunFacts, others: list[RunFacts], method: str) -> Json:
    return _runs(changed(base, others, lambda run: list_counts(run).get(method)))


def _runs(differing: list[tuple[RunFacts, object, object]]) -> Json:
    return {"changedRuns": [run.number for run, _, _ in differing]}


def fingerprint(setting: Setting) -> dict[str, Json]:
    """Describe what was run, by what, and where; values of variables are never in it."""
    described = setting.server.described
    target, plan = setting.server.target, setting.plan
    resolved = Path(target.cwd or Path.cwd())
    return {
        "guard": {"name": "mcp-stdio-guard", "version": __version__},
        "command": list(described.command or ()),
        "cwd": {"requested": described.cwd, "resolved": str(resolved), "exists": resolved.is_dir()},
        "protocol": "auto",
        "config": None,
        "profile": plan.profile.value,
        "timeoutMs": setting.timeout_ms,
        "repeat": plan.repeat,
        "probes": [],
        "operations": [cut_text(one.method, 200) for one in plan.requests],
        "system": {
            "platform": sys.platform,
            "arch": platform.machine(),
            "release": platform.release(),
        },
        "runtimes": {"python": platform.python_version()},
        "package": None,
        "env": {
            "inherited": [name for name in sorted(setting.inherited) if name in target.env],
            "names": list(target.passed),
            "values": _hidden(target.passed),
        },
        "staticScan": False,
        "timings": {"cpuCount": os.cpu_count()},
    }


def _hidden(names: tuple[str, ...]) -> dict[str, Json]:
    return dict.fromkeys(names, "[redacted]")


def _no_config() -> dict[str, Json]:
    return {"enabled": False, "path": None, "resolvedPath": None, "checks": {}}
