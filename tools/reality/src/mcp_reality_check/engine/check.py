"""The whole check: connect, list, call, judge, and the report at any moment."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from mcp_check_core.inputs.sample_folder import sample_folder
from mcp_check_core.model.report import ErrorKind, LimitHit, Report, RunError, Skipped, Target
from mcp_check_core.report.collector import Collector
from mcp_check_core.wire.connector import NotConnectedError
from mcp_check_core.wire.listing import ListEnd
from mcp_check_core.wire.no_connection import RULE as NO_CONNECTION
from mcp_check_core.wire.no_connection import connection_problem
from mcp_check_core.wire.opener import SessionOpener
from mcp_check_core.wire.reply import ReplyKind
from mcp_check_core.wire.trace import TraceWriter
from mcp_reality_check.engine.answers import (
    NO_SESSION,
    STOPPED_AT_START,
    answer_all,
    answer_tool_rules,
    nothing_to_call,
)
from mcp_reality_check.engine.drive import Driver, ServerGoneError
from mcp_reality_check.engine.listing import Listed, list_tools
from mcp_reality_check.engine.plan import RealityOptions, make_plan
from mcp_reality_check.engine.round import Round
from mcp_reality_check.engine.servers import Servers
from mcp_reality_check.engine.summary import (
    RunFacts,
    TerminatedEarly,
    make_coverage,
    make_details,
    make_score,
)
from mcp_reality_check.facts.call import Call, ToolCalls
from mcp_reality_check.facts.outcome import Outcome
from mcp_reality_check.inputs.made import Known
from mcp_reality_check.registry import EARLY_RULES, RULES, TOOL_RULES, RuleModule

NOT_LISTED = "fixtures name it, and the server lists no tool of this name"
Samples = Mapping[str, Sequence[str]]
"""Paths of files by kind."""

_TREE_LIMITS = {"processes": "--max-processes", "rss": "--max-memory"}
"""Limits on a server's processes, and the option that sets each."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server is started: its command line, and its folder."""

    argv: tuple[str, ...]
    cwd: Path


class RealityCheck:
    """Calls the tools of one server with realistic input and judges whether its successes are real."""

    def __init__(
        self,
        collector: Collector,
        opener: SessionOpener,
        target: Target,
        options: RealityOptions,
        *,
        place: Place | None = None,
        frames: TraceWriter | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Take where findings go and what opens sessions; nothing is started yet.

        `place` is where a server that we start is started, None for one behind a URL.
        """
        self._place = place
        self.collector = collector
        self._opener = opener
        self._target = target
        self._frames = frames
        self._progress = progress
        self._facts = RunFacts(options)
        self._driver: Driver | None = None

    async def run(self) -> None:
        """Make the calls; findings go to the collector tool by tool."""
        with self._samples() as samples:
            await self._run(samples)

    @contextmanager
    def _samples(self) -> Iterator[Samples]:
        """Lay out files for tools that read some, where the server is one that we start."""
        if self._place is None:
            yield {}
            return
        with sample_folder(self._place.argv, self._place.cwd) as made:
            root = [str(made.folder.parent)] if made.folder is not None and made.served else []
            yield {**made.paths, "folder": [*root, *made.paths.get("folder", ())]}

    async def _run(self, samples: Samples) -> None:
        async with Servers(self._opener) as servers:
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
                await self._call_tools(servers, listed, samples)

    def report(self, interrupted: str | None) -> Report:
        """Make the report of what is known now."""
        facts = self._current()
        self._judge(facts.results)
        for hit in self._opener.limits_hit:
            self.collector.limit(hit)
        if self._frames is not None and self._frames.failure is not None:
            self.collector.error(RunError(ErrorKind.INTERNAL, self._frames.failure))
        return self.collector.finish(
            score=make_score(facts),
            coverage=make_coverage(facts),
            details=make_details(facts),
            target=self._target,
            interrupted=interrupted,
        )

    async def _call_tools(self, servers: Servers, listed: Listed, samples: Samples) -> None:
        self._note_list(listed)
        plan = self._facts.plan
        reason = nothing_to_call(len(listed.tools), plan)
        if listed.missing is not None:
            answer_all(self.collector, listed.missing, applies=True)
            return
        if reason is not None:
            answer_all(self.collector, reason, applies=False)
            return
        options = self._facts.options
        driver = self._driver = Driver(servers, self._made)
        known = Known(options.seed, samples=samples)
        turn = Round(driver, known, options.max_calls, plan.tools, options.probes)
        try:
            for number, tool in enumerate(plan.tools, start=1):
                self._progress(f"tool {number} of {len(plan.tools)}")
                if (problem := await turn.run(tool)) is not None:
                    left_out = (*self._facts.left_out, Skipped(tool.label, problem))
                    self._facts = replace(self._facts, left_out=left_out)
                self._judge((driver.result(tool),), EARLY_RULES)
            await driver.finish()
        except ServerGoneError as gone:
            self._gone(gone)
        if turn.cut:
            where = f"--max-calls: {turn.cut} further calls are not made"
            self.collector.limit(LimitHit("calls", options.max_calls, where))
        facts = self._current()
        self._judge(facts.results)
        if self._facts.terminated is None:
            left = [item.reason for item in facts.left_out]
            answer_tool_rules(self.collector, plan, facts.results, left)

    def _note_list(self, listed: Listed) -> None:
        plan = make_plan(listed.tools, self._facts.options)
        self._facts = replace(self._facts, tools_total=len(listed.tools), listing=listed.end.value, plan=plan)
        if self._facts.options.probes is not None:
            named = {tool.name: tool for tool in listed.tools if tool.name is not None}
            unknown = [Skipped(name, NOT_LISTED) for name in self._facts.options.probes.unknown(named)]
            self._facts = replace(self._facts, left_out=tuple(unknown))
        limits = self._opener.limits
        if listed.end is ListEnd.PAGE_LIMIT:
            self.collector.limit(LimitHit("pages", limits.pages, "tools/list"))
        if listed.end is ListEnd.ITEM_LIMIT:
            self.collector.limit(LimitHit("tools", limits.items, "tools/list"))

    def _made(self, tool: str, call: Call) -> None:
        if call.outcome is Outcome.STOPPED:
            self.collector.error(RunError(ErrorKind.LIMIT, f"{tool}: {call.ending.detail}"))

    def _judge(self, results: Iterable[ToolCalls], modules: Iterable[RuleModule] = TOOL_RULES) -> None:
        for result in results:
            for module in modules:
                for finding in module.check(result):
                    self.collector.found(finding)

    def _current(self) -> RunFacts:
        facts = replace(self._facts, starts=self._opener.starts)
        driver = self._driver
        if driver is None:
            return facts
        return replace(facts, results=driver.results, count=driver.count, repeated=driver.repeated)

    def _not_connected(self, problem: NotConnectedError) -> None:
        """There never was a session: a result, unless a limit of ours or no fault of the server's is why."""
        if self._ended_by_limit():
            self._answer_none(STOPPED_AT_START)
            return
        known = connection_problem(problem)
        if isinstance(known, RunError):
            self.collector.error(known)
            self._answer_none(known.message)
            return
        self.collector.found(known)
        self.collector.answered(NO_CONNECTION.id)
        cut = problem.handshake is not None and problem.handshake.reply.kind is ReplyKind.TOO_LARGE
        held = not any(finding.rule_id == NO_CONNECTION.id for finding in self.collector.findings)
        answer_all(self.collector, NO_SESSION, applies=cut or held)

    def _answer_none(self, reason: str) -> None:
        for rule in RULES:
            self.collector.not_run(rule.id, reason)

    def _gone(self, gone: ServerGoneError) -> None:
        """The server could not be reached again: what is left is not run, and said to be."""
        early = TerminatedEarly(gone.tool, gone.problem.message)
        self._facts = replace(self._facts, terminated=early)
        if not self._ended_by_limit():
            known = connection_problem(gone.problem)
            if isinstance(known, RunError):
                self.collector.error(known)
            else:
                self.collector.found(known)
        reason = f"the server could not be reached again at {early.tool}: {early.reason}"
        answer_all(self.collector, reason, applies=True)

    def _ended_by_limit(self) -> bool:
        """Note it where the server is gone because it went over a limit that we hold its processes to."""
        for hit in self._opener.limits_hit:
            if (option := _TREE_LIMITS.get(hit.limit)) is not None:
                message = f"the server was ended at its limit, {option} {hit.value:g}: {hit.where}"
                self.collector.error(RunError(ErrorKind.LIMIT, message))
                return True
        return False
