"""The whole check: connect, list, call, judge, and the report at any moment."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.report import ErrorKind, LimitHit, Report, RunError, Target
from mcp_check_core.report.collector import Collector
from mcp_check_core.wire.connector import Connector, NotConnectedError
from mcp_check_core.wire.listing import ListEnd
from mcp_check_core.wire.no_connection import RULE as NO_CONNECTION
from mcp_check_core.wire.no_connection import connection_problem, no_connection
from mcp_check_core.wire.reply import ReplyKind
from mcp_check_core.wire.trace import TraceWriter
from mcp_fuzz.engine.answers import (
    STOPPED_AT_START,
    answer_all,
    answer_left_behind,
    answer_none,
    answer_tool_rules,
    answer_without_session,
    nothing_to_call,
)
from mcp_fuzz.engine.drive import Driver, ServerGoneError
from mcp_fuzz.engine.listing import Listed, list_tools
from mcp_fuzz.engine.plan import FuzzOptions, Plan, make_plan
from mcp_fuzz.engine.servers import Servers
from mcp_fuzz.engine.summary import RunFacts, TerminatedEarly, make_coverage, make_details, make_score
from mcp_fuzz.facts.call import Call, ToolCalls
from mcp_fuzz.facts.outcome import Outcome
from mcp_fuzz.full_trace import FullTrace
from mcp_fuzz.registry import OVER_ALL_TOOLS, TOOL_RULES

_TREE_LIMITS = {"processes": "--max-processes", "rss": "--max-memory"}
"""Limits on a server's processes, and the option that sets each."""


class FuzzCheck:
    """Calls the tools of one server and judges how it fails."""

    def __init__(
        self,
        collector: Collector,
        connector: Connector,
        target: Target,
        options: FuzzOptions,
        *,
        trace: FullTrace | None = None,
        frames: TraceWriter | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.collector = collector
        self._connector = connector
        self._target = target
        self._trace = trace
        self._frames = frames
        self._progress = progress
        self._facts = RunFacts(options, Plan((), ()), ())
        self._driver: Driver | None = None
        self._settled = 0

    async def run(self) -> None:
        """Make the calls; findings go to the collector tool by tool."""
        async with Servers(self._connector) as servers:
            self._progress("starting the server")
            try:
                with self.collector.phase("connect"):
                    session = await servers.open()
                self._target = replace(self._target, server=session.handshake.server)
                with self.collector.phase("list"):
                    listed = await list_tools(servers)
            except NotConnectedError as problem:
                self._not_connected(problem)
                return
            self.collector.answered(NO_CONNECTION.id)
            with self.collector.phase("calls"):
                await self._call_tools(servers, listed)

    def report(self, interrupted: str | None) -> Report:
        """Make the report of what is known now."""
        facts = self._current()
        if self._driver is not None:
            self._judge(self._driver.results)
            self._judge_together(self._driver.results)
        for hit in self._connector.limits_hit:
            self.collector.limit(hit)
        for record in (self._frames, self._trace):
            if record is not None and record.failure is not None:
                self.collector.error(RunError(ErrorKind.INTERNAL, record.failure))
        return self.collector.finish(
            score=make_score(facts),
            coverage=make_coverage(facts),
            details=make_details(facts),
            target=self._target,
            interrupted=interrupted,
        )

    async def _call_tools(self, servers: Servers, listed: Listed) -> None:
        await self._note_list(listed)
        reason = nothing_to_call(len(listed.tools), self._facts.plan)
        if listed.missing is not None:
            answer_all(self.collector, listed.missing, applies=True)
        elif reason is not None:
            answer_all(self.collector, reason, applies=False)
        driver = self._driver = Driver(servers, self._facts.plan.definitions, self._made)
        driver.begin(listed.call, same_server=listed.call.outcome is not Outcome.CRASH)
        self._judge(driver.results)
        try:
            for plan in self._facts.plan.tools:
                await driver.run(plan)
                self._judge((driver.result(plan.tool),))
            await driver.finish()
        except ServerGoneError as gone:
            self._gone(gone)
        self._judge(driver.result(tool) for tool in driver.blamed)
        self._judge_together(driver.results)
        if reason is None and listed.missing is None:
            answer_tool_rules(self.collector, self._facts.plan, self._current().results)
        if servers.ends or self._facts.terminated is None:
            answer_left_behind(self.collector, servers.ends)

    async def _note_list(self, listed: Listed) -> None:
        self._facts = replace(self._facts, tools_total=len(listed.tools), listing=listed.end.value)
        plan = await make_plan(listed.tools, self._facts.options)
        self._facts = replace(self._facts, plan=plan)
        limits = self._connector.limits
        if listed.end is ListEnd.PAGE_LIMIT:
            self.collector.limit(LimitHit("pages", limits.pages, "tools/list"))
        if listed.end is ListEnd.ITEM_LIMIT:
            self.collector.limit(LimitHit("tools", limits.items, "tools/list"))
        if plan.over_limit:
            where = f"--max-calls: {plan.over_limit} further cases are not sent"
            self.collector.limit(LimitHit("calls", self._facts.options.max_calls, where))
        if self._trace is not None:
            for skipped in plan.skipped:
                self._trace.skipped(skipped)

    def _made(self, call: Call) -> None:
        self._settled += 1
        self._progress(f"{self._settled} of {self._facts.plan.cases} calls")
        if self._trace is not None:
            self._trace.call(call)
        if call.outcome is Outcome.STOPPED:
            self.collector.error(RunError(ErrorKind.LIMIT, f"{call.case.tool}: {call.verdict.detail}"))

    def _judge(self, results: Iterable[ToolCalls]) -> None:
        """Let the rules judge that look at one tool alone."""
        for result in results:
            for module in TOOL_RULES:
                if module not in OVER_ALL_TOOLS:
                    self._found(module.check(result))

    def _judge_together(self, results: Sequence[ToolCalls]) -> None:
        """Let the rules judge that look at all tools; the collector takes each finding once."""
        for module in OVER_ALL_TOOLS:
            self._found(module.check(*results))

    def _found(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            self.collector.found(finding)

    def _current(self) -> RunFacts:
        facts = replace(self._facts, starts=self._connector.starts)
        if self._driver is None:
            return facts
        results = tuple(result for result in self._driver.results if result.tool)
        return replace(facts, results=results, repeated=self._driver.repeated)

    def _not_connected(self, problem: NotConnectedError) -> None:
        """There never was a session: a result, unless a limit of ours or no fault of the server's is why."""
        known = connection_problem(problem)
        if self._ended_by_limit():
            answer_none(self.collector, STOPPED_AT_START)
            return
        if isinstance(known, RunError):
            self.collector.error(known)
            answer_none(self.collector, known.message)
            return
        self.collector.found(known)
        self.collector.answered(NO_CONNECTION.id)
        cut = problem.handshake is not None and problem.handshake.reply.kind is ReplyKind.TOO_LARGE
        held = not any(finding.rule_id == NO_CONNECTION.id for finding in self.collector.findings)
        answer_without_session(self.collector, applies=cut or held)

    def _gone(self, gone: ServerGoneError) -> None:
        """The server could not be reached again: what is left is not run, and said to be."""
        early = TerminatedEarly(gone.case.tool, gone.case.label, gone.problem.message)
        self._facts = replace(self._facts, terminated=early)
        if not self._ended_by_limit():
            self.collector.found(no_connection(gone.problem))
        reason = f"the server could not be reached again at {early.tool}, {early.case}: {early.reason}"
        answer_all(self.collector, reason, applies=True)

    def _ended_by_limit(self) -> bool:
        """Note it where the server is gone because it went over a limit that we hold its processes to."""
        for hit in self._connector.limits_hit:
            if (option := _TREE_LIMITS.get(hit.limit)) is not None:
                message = f"the server was ended at its limit, {option} {hit.value:g}: {hit.where}"
                self.collector.error(RunError(ErrorKind.LIMIT, message))
                return True
        return False
