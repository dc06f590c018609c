"""The parts of the report that describe one run."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.transcript import Phase
from mcp_stdio_guard.contract.issues import issue, worst
from mcp_stdio_guard.facts.run import CAPABILITY_LISTS, TOOLS_LIST, ListFacts, ListOutcome, RunFacts

if TYPE_CHECKING:
    from mcp_check_core.process.launch import Exit

_NAME_BOUND = 200
_KEYS_SHOWN = 100
NAMES_SHOWN = 1_000
"""Names of tools in a report; `toolCount` counts all."""


def run_result(run: RunFacts, findings: Sequence[Finding]) -> dict[str, Json]:
    """Describe one run as a result of its own."""
    return {
        "run": run.number,
        "status": worst(findings),
        "initialized": run.initialized,
        "negotiatedProtocol": run.protocol,
        "capabilityKeys": capability_keys(run),
        "capabilityChecks": capability_checks(run),
        "toolSchema": tool_schema(run, findings),
        "operations": operations(run),
        "process": process(run),
        "frames": {"stdout": run.wire.received, "invalid": run.wire.invalid},
        "stderrLines": run.wire.stderr_lines,
        "issues": [issue(finding, run=run.number) for finding in findings],
    }


def capability_keys(run: RunFacts) -> list[Json]:
    """List the names of the advertised capabilities."""
    return [cut_text(name, _NAME_BOUND) for name in sorted(run.capabilities)[:_KEYS_SHOWN]]


def capability_checks(run: RunFacts) -> dict[str, Json]:
    """Describe the list of each capability; templates stand with resources."""
    checks: dict[str, Json] = {}
    for capability, methods in CAPABILITY_LISTS.items():
        described = _capability_check(run, capability, methods[0])
        if len(methods) > 1:
            described["templates"] = _capability_check(run, capability, methods[1])
        checks[capability] = described
    return checks


def _capability_check(run: RunFacts, capability: str, method: str) -> dict[str, Json]:
    listing = run.listing(method)
    return {
        "advertised": isinstance(run.capabilities.get(capability), dict),
        "method": method,
        "responded": listing is not None and listing.reply.answered,
        "itemCount": len(listing.items) if listing is not None and listing.pages else None,
        "error": _list_error(listing) if listing is not None else None,
    }


def _list_error(listing: ListFacts) -> Json:
    if listing.outcome is ListOutcome.NO_RESULT:
        return reply_error(listing.reply)
    if listing.complete:
        return None
    return {"code": None, "message": listing.problem or listing.outcome.value}


def reply_error(reply: Reply) -> Json:
    """Describe the error of an answer, or how it failed to come; null for a result."""
    if reply.error is not None:
        return {"code": reply.error.code, "message": cut_text(reply.error.message)}
    return None if reply.kind is ReplyKind.RESULT else {"code": None, "message": reply.kind.value}


def operations(run: RunFacts) -> list[Json]:
    """Describe the requests that were asked for."""
    return [
        {
            "method": cut_text(one.method, _NAME_BOUND),
            "hasParams": one.params is not None,
            "source": "cli-request",
            "safeToolCallName": None,
            "responded": one.reply.answered,
            "error": reply_error(one.reply),
        }
        for one in run.operations
    ]


def tool_schema(run: RunFacts, findings: Sequence[Finding]) -> dict[str, Json]:
    """Sum up what was found in the definitions of tools."""
    tools = run.tools
    listing = run.listing(TOOLS_LIST)
    labels = [tool.label for tool in tools]
    twice = [label for label, count in Counter(labels).items() if count > 1]
    about = [finding for finding in findings if finding.rule_id.startswith("guard/tool")]
    bad = {finding.location.tool for finding in about if finding.severity is Severity.ERROR}
    return {
        "checked": listing is not None and bool(listing.pages),
        "toolCount": len(tools),
        "toolNames": list(labels[:NAMES_SHOWN]),
        "validToolCount": sum(label not in bad for label in labels),
        "warningCount": sum(finding.severity is Severity.WARNING for finding in about),
        "errorCount": sum(finding.severity is Severity.ERROR for finding in about),
        "duplicateNames": list(twice[:NAMES_SHOWN]),
    }


def process(run: RunFacts) -> dict[str, Json]:
    """Tell the life of the process."""
    facts, shutdown = run.process, run.process.shutdown
    timed_out = next((reply for reply in run.replies if reply.kind is ReplyKind.TIMEOUT), None)
    ours = _kill_signal(run)
    return {
        "started": facts.started,
        "pid": facts.pid,
        "outcome": _outcome(run, timed_out, ours),
        "phase": _phase(run, timed_out),
        "exitCode": facts.exit.code if facts.exit else None,
        "signal": _signal_name(facts.exit),
        "timedOut": timed_out is not None,
        "timeoutCode": _timeout_code(run, timed_out),
        "timeoutMs": _timeout_ms(run, timed_out),
        "killedByGuard": ours is not None,
        "killSignal": ours,
        "killReason": _kill_reason(run) if ours else None,
        "spawnError": None if facts.started else {"code": facts.spawn_code, "message": facts.spawn_message},
        "shutdown": None
        if shutdown is None
        else {"closedStdin": shutdown.closed_stdin, "leftovers": len(shutdown.leftovers)},
        "output": _output(run),
    }


def _output(run: RunFacts) -> dict[str, Json]:
    wire = run.wire
    return {
        "stdoutBytes": wire.stdout_bytes,
        "stderrBytes": wire.stderr_bytes,
        "maxStdoutBytes": wire.stdout_limit,
        "maxStdoutLineBytes": wire.line_limit,
        "maxStderrBytes": wire.stderr_limit,
        "stdoutTruncated": wire.over_limit,
        "stderrTruncated": wire.stderr_bytes > wire.stderr_limit,
        "limitCode": "stdout-output-limit-exceeded" if wire.over_limit else None,
    }


def _outcome(run: RunFacts, timed_out: Reply | None, ours: str | None) -> str:
    if not run.process.started:
        return "spawn-failed"
    if run.process.alone:
        return "exited"
    if timed_out is not None:
        return "timeout"
    if ours is not None:
        return "guard-terminated"
    return "exited" if run.process.exit is not None else "running"


def _phase(run: RunFacts, timed_out: Reply | None) -> str:
    if not run.process.started:
        return "startup"
    if not run.initialized:
        return "initialize"
    lost = run.process.died_in is Phase.OPERATION
    return "operation" if lost or timed_out is not None else "post-initialize"


def _timeout_code(run: RunFacts, timed_out: Reply | None) -> str | None:
    if timed_out is None:
        return None
    if timed_out.method == "initialize":
        return "initialize-timeout"
    asked = any(one.reply is timed_out for one in run.operations)
    return "operation-timeout" if asked else "capability-list-timeout"


def _timeout_ms(run: RunFacts, timed_out: Reply | None) -> int | None:
    if timed_out is None:
        return None
    return round(1000 * (run.startup_s if timed_out.method == "initialize" else run.request_s))


def _kill_signal(run: RunFacts) -> str | None:
    shutdown = run.process.shutdown
    if run.process.breach is not None or (shutdown is not None and shutdown.sent_sigkill):
        return "SIGKILL"
    return "SIGTERM" if shutdown is not None and shutdown.sent_sigterm else None


def _kill_reason(run: RunFacts) -> str:
    if run.process.breach is not None:
        return f"limit: {run.process.breach.limit}"
    return "it did not end when its stdin was closed"


def _signal_name(gone: "Exit | None") -> str | None:
    if gone is None or gone.signal is None:
        return None
    import signal  # noqa: PLC0415 - rarely needed

    try:
        return signal.Signals(gone.signal).name
    except ValueError:
        return str(gone.signal)
