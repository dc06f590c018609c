"""The JSON Schema of guard's document: the common envelope and guard's own members."""

from mcp_check_core.model.json_value import Json
from mcp_check_core.report.schema import tool_schema
from mcp_stdio_guard.contract.outcome import CheckStatus
from mcp_stdio_guard.plan import Profile
from mcp_stdio_guard.registry import RULES
from mcp_stdio_guard.rules.declare import CheckName, IssueClass

VOLATILE = (
    "/process/pid",
    "/runs/*/process/pid",
    "/fingerprint/system",
    "/fingerprint/runtimes",
    "/fingerprint/timings",
    "/findings/*/evidence/tookMs",
    "/suppressed/*/evidence/tookMs",
)

_TEXT: Json = {"type": "string"}
_FLAG: Json = {"type": "boolean"}
_COUNT: Json = {"type": "integer", "minimum": 0}
_NULL_TEXT: Json = {"type": ["string", "null"]}
_NULL_COUNT: Json = {"type": ["integer", "null"], "minimum": 0}
_TEXTS: Json = {"type": "array", "items": _TEXT}


def document_schema() -> dict[str, Json]:
    """Make the schema that the package holds as `schema.json`."""
    return tool_schema(
        tool="mcp-stdio-guard",
        details=_object(
            starts=_COUNT,
            clientCapabilities={"type": "object"},
            offeredVersions=_TEXTS,
            watchedMs=_COUNT,
            notes=_TEXTS,
        ),
        extra=_members(),
        rules=RULES,
        volatile=VOLATILE,
    )


def _members() -> dict[str, Json]:
    return {
        "config": _object(enabled=_FLAG, path=_NULL_TEXT, resolvedPath=_NULL_TEXT, checks={"type": "object"}),
        "profile": {"enum": [profile.value for profile in Profile]},
        "command": _TEXTS,
        "protocol": _TEXT,
        "negotiatedProtocol": _NULL_TEXT,
        "initialized": _FLAG,
        "operation": {"anyOf": [{"type": "null"}, _operation()]},
        "operations": {"type": "array", "items": _operation()},
        "adversarial": _object(enabled=_FLAG, probes={"type": "array", "items": _probe()}),
        "toolSchema": _tool_schema(),
        "capabilityProbes": _object(enabled=_FLAG, methods=_TEXTS),
        "capabilityKeys": _TEXTS,
        "capabilityChecks": _capability_checks(),
        "drift": _drift(),
        "process": _process(),
        "checks": _checks(),
        "issueClasses": _object(**{one.value: _class_result() for one in IssueClass}),
        "summary": _summary(),
        "fingerprint": _fingerprint(),
        "issues": {"type": "array", "items": _issue()},
        "staticScan": _object(enabled=_FLAG, path=_NULL_TEXT, failOnFindings=_FLAG),
        "staticFindings": {"type": "array", "items": {"type": "object"}},
        "runs": {"type": "array", "items": _run()},
    }


def _object(**members: Json) -> dict[str, Json]:
    """Describe an object with exactly these members."""
    return {
        "type": "object",
        "required": list(members),
        "additionalProperties": False,
        "properties": dict(members),
    }


def _open(*optional: str, **members: Json) -> dict[str, Json]:
    """Describe an object whose `optional` members may be absent."""
    schema = _object(**members)
    schema["required"] = [name for name in members if name not in optional]
    return schema


def _error() -> Json:
    return {
        "anyOf": [{"type": "null"}, _object(code={"type": ["integer", "null"]}, message=_TEXT)],
    }


def _operation() -> dict[str, Json]:
    return _object(
        method=_TEXT,
        hasParams=_FLAG,
        source={"enum": ["cli-request", "config-request", "safe-tool-call"]},
        safeToolCallName=_NULL_TEXT,
        responded=_FLAG,
        error=_error(),
    )


def _probe() -> dict[str, Json]:
    return _object(name=_TEXT, status=_TEXT, risk=_TEXT, issueCodes=_TEXTS)


def _tool_schema() -> dict[str, Json]:
    return _object(
        checked=_FLAG,
        toolCount=_COUNT,
        toolNames=_TEXTS,
        validToolCount=_COUNT,
        warningCount=_COUNT,
        errorCount=_COUNT,
        duplicateNames=_TEXTS,
    )


def _capability_checks() -> dict[str, Json]:
    members: dict[str, Json] = {
        "advertised": _FLAG,
        "method": _TEXT,
        "responded": _FLAG,
        "itemCount": _NULL_COUNT,
        "error": _error(),
    }
    plain = _object(**members)
    return _object(tools=plain, resources=_object(**members, templates=plain), prompts=plain)


def _drift() -> dict[str, Json]:
    changed = _object(changedRuns={"type": "array", "items": _COUNT})
    return _object(
        status=_status(),
        issueCodes=_TEXTS,
        baselineRun=_NULL_COUNT,
        comparedRuns={"type": "array", "items": _COUNT},
        negotiatedProtocol=changed,
        capabilities=changed,
        tools=changed,
        lists=_object(resources=changed, prompts=changed),
    )


def _status() -> Json:
    return {"enum": [status.value for status in CheckStatus]}


def _process() -> dict[str, Json]:
    return _object(
        started=_FLAG,
        pid=_NULL_COUNT,
        outcome={"enum": ["starting", "running", "exited", "timeout", "spawn-failed", "guard-terminated"]},
        phase={"enum": ["startup", "initialize", "operation", "adversarial", "post-initialize"]},
        exitCode={"type": ["integer", "null"]},
        signal=_NULL_TEXT,
        timedOut=_FLAG,
        timeoutCode=_NULL_TEXT,
        timeoutMs=_NULL_COUNT,
        killedByGuard=_FLAG,
        killSignal=_NULL_TEXT,
        killReason=_NULL_TEXT,
        spawnError={"anyOf": [{"type": "null"}, _object(code=_TEXT, message=_TEXT)]},
        shutdown={"anyOf": [{"type": "null"}, _object(closedStdin=_FLAG, leftovers=_COUNT)]},
        output=_object(
            stdoutBytes=_COUNT,
            stderrBytes=_COUNT,
            maxStdoutBytes=_COUNT,
            maxStdoutLineBytes=_COUNT,
            maxStderrBytes=_COUNT,
            stdoutTruncated=_FLAG,
            stderrTruncated=_FLAG,
            limitCode=_NULL_TEXT,
        ),
    )


def _class_result() -> dict[str, Json]:
    return _object(status={"enum": ["pass", "warning", "fail"]}, issueCodes=_TEXTS)


def _checks() -> dict[str, Json]:
    checks: dict[str, Json] = {}
    for name in CheckName:
        members: dict[str, Json] = {"status": _status(), "issueCodes": _TEXTS}
        if name is CheckName.CAPABILITIES:
            members |= dict.fromkeys(
                ("tools", "resources", "prompts"), _object(status=_status(), issueCodes=_TEXTS)
            )
        if name is CheckName.REPEAT:
            members |= dict.fromkeys(("runs", "passedRuns", "failedRuns"), _COUNT)
        checks[name.value] = _object(**members)
    return _object(**checks)


def _summary() -> dict[str, Json]:
    classes: list[Json] = [one.value for one in IssueClass]
    return _object(
        status={"enum": ["pass", "warning", "needs_inspection", "fail"]},
        issueClass={"enum": [*classes, "mixed", ""]},
        primaryIssueCode=_TEXT,
        primaryIssueClass={"enum": [*classes, ""]},
        issueCounts=_object(error=_COUNT, warning=_COUNT, total=_COUNT),
        badge=_object(
            label={"const": "mcp stdio"},
            message=_TEXT,
            color={"enum": ["brightgreen", "yellow", "orange", "red"]},
        ),
        display=_TEXT,
    )


def _fingerprint() -> dict[str, Json]:
    return _open(
        "system",
        "runtimes",
        "timings",
        guard=_object(name=_TEXT, version=_TEXT),
        command=_TEXTS,
        cwd=_object(requested=_NULL_TEXT, resolved=_TEXT, exists=_FLAG),
        protocol=_TEXT,
        config=_NULL_TEXT,
        profile=_TEXT,
        timeoutMs=_COUNT,
        repeat=_COUNT,
        probes=_TEXTS,
        operations=_TEXTS,
        system={"type": "object"},
        runtimes={"type": "object"},
        package={"type": ["object", "null"]},
        env=_object(inherited=_TEXTS, names=_TEXTS, values={"type": "object"}),
        staticScan=_FLAG,
        timings={"type": "object"},
    )


def _issue() -> dict[str, Json]:
    codes: list[Json] = [rule.slug for rule in RULES]
    classes: list[Json] = [one.value for one in IssueClass]
    named: dict[str, Json] = {"class": {"enum": classes}}
    return _open(
        "detailCode",
        "spawnErrorCode",
        "run",
        **named,
        severity={"enum": ["error", "warning", "info"]},
        code={"enum": codes},
        message=_TEXT,
        detailCode=_TEXT,
        spawnErrorCode=_TEXT,
        run={"type": "integer", "minimum": 1},
    )


def _run() -> dict[str, Json]:
    return _object(
        run=_COUNT,
        status={"enum": ["pass", "warning", "fail"]},
        initialized=_FLAG,
        negotiatedProtocol=_NULL_TEXT,
        capabilityKeys=_TEXTS,
        capabilityChecks=_capability_checks(),
        toolSchema=_tool_schema(),
        operations={"type": "array", "items": _operation()},
        process=_process(),
        frames=_object(stdout=_COUNT, invalid=_COUNT),
        stderrLines=_COUNT,
        issues={"type": "array", "items": _issue()},
    )
