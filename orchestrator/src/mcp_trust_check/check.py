"""One check from settings to the merged document."""

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from mcp_check_core._version import __version__ as core_version
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Report, Target
from mcp_check_core.report.wording import plural
from mcp_trust_check._version import __version__
from mcp_trust_check.document import GateResult, RunFacts, merged_document
from mcp_trust_check.documents import judged, left_out, lost_server
from mcp_trust_check.gate import Gate
from mcp_trust_check.judgement import Judgement, judge
from mcp_trust_check.package_files import NotInstalled, read_schema
from mcp_trust_check.policy import account, hold_back
from mcp_trust_check.progress import Progress
from mcp_trust_check.run.outcome import ToolRun
from mcp_trust_check.run.plan import plan_tool
from mcp_trust_check.run.side_by_side import Runs
from mcp_trust_check.run.supervise import supervise
from mcp_trust_check.secrets import redacted, redactor_for
from mcp_trust_check.settings import Settings
from mcp_trust_check.tool_state import State, ToolState
from mcp_trust_check.toolset import TOOLS, Tool

LEFT_OUT = "left out by --only or --skip"
NOT_THERE = "not in this version"


@dataclass(frozen=True, slots=True)
class Checked:
    """A check that has ended: its document, its exit code, and the reports that tools printed.

    `account` holds what suppressions and baselines are counted by.
    """

    document: dict[str, Json]
    exit_code: int
    printed: Mapping[str, bytes]
    account: Report


@dataclass(frozen=True, slots=True)
class Reader:
    """Turns runs of the chosen tools into states, with the schemas that their packages publish."""

    tools: Mapping[str, Tool]
    schemas: Mapping[str, dict[str, Json]]
    missing: Mapping[str, str]
    progress: Progress

    def state(self, run: ToolRun) -> ToolState:
        """Say what became of a tool that ran."""
        short = run.short
        return judged(self.tools[short], run, self.schemas.get(short), self.missing.get(short, ""))

    def lost_server(self, run: ToolRun) -> str | None:
        """Say how a tool did not reach its server or lost it, None where it did not."""
        return lost_server(self.tools[run.short], self.state(run))

    def running(self, short: str, *, again: bool) -> None:
        """Show that a tool starts."""
        self.progress.show(short, "running again, alone" if again else "running")

    def done(self, run: ToolRun) -> None:
        """Show how a tool has ended."""
        state = self.state(run)
        count = plural(len(state.findings), "finding")
        self.progress.show(
            run.short, f"{'done' if state.state is State.COMPLETE else 'did not finish'}, {count}"
        )


def check(settings: Settings, gate: Gate, environ: Mapping[str, str], progress: Progress) -> Checked:
    """Run the tools and conclude. Leaving, also by an exception, ends every process that was started."""
    started_at, began = datetime.now(UTC), time.monotonic()
    reader = _reader(settings.tools, progress)
    with tempfile.TemporaryDirectory(prefix="mcp-trust-check-") as folder:
        plans = [
            plan_tool(tool, settings.request, secrets=settings.secrets, environ=environ, folder=Path(folder))
            for tool in settings.tools
        ]
        runs, stop = supervise(
            plans,
            settings.limits,
            jobs=settings.jobs,
            run_s=settings.run_s,
            lost_server=reader.lost_server,
            listener=reader,
        )
    progress.clear()
    for tool in settings.tools:
        runs.done.setdefault(tool.short, ToolRun(tool.short, failure=f"it was ended: {stop.reason}"))
    policy = settings.suppressing.policy
    judgement = judge([hold_back(_state(tool, runs, reader), policy) for tool in TOOLS])
    code = gate.exit_code(judgement, interrupted=stop.by_user)
    facts = RunFacts(
        runs=runs.done,
        again=runs.again,
        limits=settings.limits,
        max_processes=settings.request.limits.processes,
        run_s=settings.run_s,
        jobs=settings.jobs,
        started_at=started_at,
        duration_s=time.monotonic() - began,
        interrupted=stop.reason,
    )
    result = GateResult(gate.fail_on.value, gate.fail_under, gate.broken_by(judgement), int(code))
    return _redacted(settings, judgement, facts, result)


def _redacted(settings: Settings, judgement: Judgement, facts: RunFacts, gate: GateResult) -> Checked:
    redactor = redactor_for(settings.request.command, settings.secrets)
    target = _target(settings.server.described, judgement.states)
    document = merged_document(judgement, facts, gate, target, (__version__, core_version))
    printed = {
        state.short: redactor.bytes(facts.runs[state.short].stdout)
        for state in judgement.states
        if state.document is not None
    }
    shown = redacted(document, redactor)
    return Checked(shown, gate.exit_code, printed, account(shown, judgement.states))


def _reader(tools: Sequence[Tool], progress: Progress) -> Reader:
    schemas, missing = {}, {}
    for tool in tools:
        try:
            schemas[tool.short] = read_schema(tool.module)
        except NotInstalled as problem:
            missing[tool.short] = cut_text(str(problem))
    return Reader({tool.short: tool for tool in tools}, schemas, missing, progress)


def _state(tool: Tool, runs: Runs, reader: Reader) -> ToolState:
    if not tool.in_this_version:
        return left_out(tool, State.NOT_IN_THIS_VERSION, NOT_THERE)
    if tool.short not in reader.tools:
        return left_out(tool, State.SKIPPED, LEFT_OUT)
    return reader.state(runs.done[tool.short])


def _target(described: Target, states: Sequence[ToolState]) -> dict[str, Json]:
    """Describe what was checked, with what the server called itself where a tool got to know it."""
    server: Json = None
    for state in states:
        match state.document:
            case {"target": {"server": dict(found)}} if server is None:
                server = found
    return {
        "kind": described.kind.value,
        "command": None if described.command is None else list(described.command),
        "commandSha256": described.command_sha256,
        "url": described.url,
        "cwd": described.cwd,
        "environment": list(described.environment),
        "server": server,
    }
