"""One run: read the definitions, judge them, compare them with a lock; a report at any moment."""

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import anyio.lowlevel

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import (
    Coverage,
    ErrorKind,
    Outcome,
    Report,
    RunError,
    Skipped,
    Target,
    TargetKind,
)
from mcp_check_core.report.collector import Collector
from mcp_check_core.wire.connector import Connector, NotConnectedError
from mcp_check_core.wire.no_connection import RULE as NO_CONNECTION
from mcp_check_core.wire.no_connection import connection_problem
from mcp_check_core.wire.trace import TraceWriter
from mcp_lint.engine.again import Again
from mcp_lint.engine.bounded import bounded
from mcp_lint.engine.details import Facts, make_details
from mcp_lint.engine.gather import Gathered
from mcp_lint.engine.keeper import LockKeeper
from mcp_lint.engine.without_command import without_command
from mcp_lint.facts.definitions import DEPTH_BOUND, Definitions
from mcp_lint.facts.settings import Settings
from mcp_lint.facts.tokens import estimate_tokens
from mcp_lint.lock.comparing import findings as lock_findings
from mcp_lint.lock.document import Launch, Lock
from mcp_lint.registry import LOCK, STATIC
from mcp_lint.rules.declare import Judged
from mcp_lint.scoring.costs import FINDING_COSTS
from mcp_lint.scoring.score import ServerWaste, server_waste

_NO_SESSION = "there was no session with the server"
_NO_TOOLS = "the server lists no tools"
_NONE_READ = "no definition could be read"
_TREE_LIMITS = frozenset({"processes", "rss"})
_FINDINGS_A_STEP = 100
"""Findings after which a run can be stopped."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a command asks for. `static` None: the static rules are judged; else why they are not.

    `lock`: what to compare with; where it is None, `no_lock` says why there is nothing to compare.
    """

    settings: Settings = field(default_factory=Settings)
    static: str | None = None
    lock: Lock | None = None
    no_lock: str = "no lockfile was given (--lock)"


@dataclass(frozen=True, slots=True)
class Live:
    """What there is of a live server beside its definitions: how it is reached, and what records it."""

    connector: Connector
    argv: tuple[str, ...]
    trace: TraceWriter | None = None


class LintCheck:
    """Judges the definitions of one server, live or saved."""

    def __init__(
        self,
        collector: Collector,
        target: Target,
        read: Callable[[], Awaitable[Gathered]],
        wanted: Wanted,
        *,
        live: Live | None = None,
        file: str | None = None,
        held: Callable[[Finding], bool] = lambda _: False,
        keeper: LockKeeper | None = None,
        again: Again | None = None,
    ) -> None:
        """Take what reads the definitions; `live` is what there is of a live server."""
        self._keeper = keeper
        self._again = again or Again()
        self.collector = collector
        self.gathered: Gathered | None = None
        self._target = target
        self._read = read
        self._wanted = wanted
        self._live = live
        self._file = file
        self._held = held
        self._charged: list[Finding] = []

    @property
    def launch(self) -> Launch:
        """How the server is reached, as a lock records it."""
        return Launch(self._target.kind.value, self._target.command_sha256)

    async def run(self) -> None:
        """Read, judge, compare."""
        gathered = await self._gather()
        if gathered is None:
            return
        self.gathered = gathered
        definitions = gathered.definitions
        with self.collector.phase("judge"):
            for one in STATIC:
                await self._judge(one, definitions)
        with self.collector.phase("compare"):
            self._compare(definitions)
        with self.collector.phase("again"):
            await self._again.compare(definitions, self.collector)
        if self._keeper is not None and definitions.listing.whole:
            self._keeper.keep(gathered, self.launch, self.collector.findings)

    def report(self, interrupted: str | None) -> Report:
        """Make the report of what is known now."""
        for hit in self._live.connector.limits_hit if self._live else ():
            self.collector.limit(hit)
        if self._live and self._live.trace and self._live.trace.failure:
            self.collector.error(RunError(ErrorKind.INTERNAL, self._live.trace.failure))
        definitions = self.gathered.definitions if self.gathered else None
        waste = self._waste(definitions)
        return self.collector.finish(
            score=waste.score() if self._wanted.static is None else None,
            coverage=_coverage(definitions),
            details=make_details(
                Facts(
                    gathered=self.gathered,
                    waste=waste,
                    file=self._file,
                    starts=self._live.connector.starts if self._live else 0,
                    settings=self._wanted.settings,
                    lock=self._lock_details(),
                )
            ),
            target=replace(self._target, command=None, server=definitions.server if definitions else None),
            interrupted=interrupted,
        )

    def _lock_details(self) -> dict[str, Json] | None:
        if self._keeper is None:
            return None
        result = self.collector.result(LOCK.id)
        compared = result is not None and result.outcome in (Outcome.PASS, Outcome.FAIL)
        return self._keeper.details(self.collector.findings, compared=compared)

    async def _gather(self) -> Gathered | None:
        if self._target.kind is TargetKind.FILE:
            self.collector.not_applicable(NO_CONNECTION.id, "a saved list was read, no server was started")
        try:
            with self.collector.phase("list"):
                gathered = await self._read()
        except NotConnectedError as problem:
            self._not_connected(problem)
            return None
        if self._target.kind is not TargetKind.FILE:
            self.collector.answered(NO_CONNECTION.id)
        return self._blamed(gathered)

    def _not_connected(self, problem: NotConnectedError) -> None:
        told = connection_problem(problem)
        if isinstance(told, RunError):
            self.collector.error(told)
            return
        self.collector.found(without_command(told, self._live.argv if self._live else ()))
        self.collector.answered(NO_CONNECTION.id)
        ours = problem.evidence.get("limit")
        if ours is not None:
            self.collector.error(RunError(ErrorKind.LIMIT, f"the server was ended: it went over {ours}"))
        for rule in (*(one.rule for one in STATIC), LOCK):
            self.collector.not_applicable(rule.id, _NO_SESSION)
        self._again.leave_out(self.collector, _NO_SESSION)

    def _blamed(self, gathered: Gathered) -> Gathered:
        """Lay a list that was cut by a limit of ours to us, not to the server."""
        listing = gathered.definitions.listing
        if listing.whole:
            return gathered
        hit = [one.limit for one in (self._live.connector.limits_hit if self._live else ())]
        ours = listing.ours or any(name in _TREE_LIMITS for name in hit)
        if ours:
            self.collector.error(
                RunError(ErrorKind.LIMIT, f"tools/list was not read whole: {listing.problem}")
            )
        mended = replace(gathered.definitions, listing=replace(listing, ours=ours))
        return replace(gathered, definitions=mended)

    async def _judge(self, one: Judged, definitions: Definitions) -> None:
        rule = one.rule.id
        reason = self._wanted.static
        if reason is None and not definitions.tools and not one.of_server:
            reason = _NONE_READ if definitions.all_tools or not definitions.listing.whole else _NO_TOOLS
        if reason is not None:
            self.collector.not_applicable(rule, reason)
            return
        for number, judgement in enumerate(one.judge(definitions, self._wanted.settings), start=1):
            if isinstance(judgement, Finding):
                self._found(judgement)
            elif judgement.unknown:
                self.collector.could_not_tell(rule, judgement.reason)
            else:
                self.collector.not_applicable(rule, judgement.reason)
            if number % _FINDINGS_A_STEP == 0:
                await anyio.lowlevel.checkpoint()
        self.collector.answered(rule, judged=len(definitions.tools), of=len(definitions.all_tools))
        await anyio.lowlevel.checkpoint()

    def _found(self, finding: Finding) -> None:
        small = bounded(finding)
        self.collector.found(small)
        if (small.rule_id, small.kind) in FINDING_COSTS and not self._held(small):
            self._charged.append(small)

    def _compare(self, definitions: Definitions) -> None:
        lock = self._wanted.lock
        if lock is None:
            self.collector.not_applicable(LOCK.id, self._wanted.no_lock)
        elif not definitions.listing.whole:
            reason = f"tools/list cannot be read whole: {definitions.listing.problem}"
            self.collector.could_not_tell(LOCK.id, reason)
        else:
            for finding in lock_findings(lock, definitions, self.launch):
                self.collector.found(bounded(finding))
            self.collector.answered(LOCK.id, judged=len(definitions.all_tools), of=len(definitions.all_tools))

    def _waste(self, definitions: Definitions | None) -> ServerWaste:
        sizes: Counter[str] = Counter()
        for tool in definitions.tools if definitions else ():
            sizes[tool.label] += estimate_tokens(tool.raw)
        return server_waste(sizes, self._charged)


def _coverage(definitions: Definitions | None) -> Coverage:
    if definitions is None:
        return Coverage()
    deep = [
        Skipped(label, f"its definition is nested over {DEPTH_BOUND} levels") for label in definitions.deep
    ]
    odd = [
        Skipped(tool.label, "the entry is no object")
        for tool in definitions.all_tools
        if not isinstance(tool.raw, dict)
    ]
    return Coverage(len(definitions.all_tools), len(definitions.tools), (*deep, *odd))
