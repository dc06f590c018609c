"""The check as a whole: the runs, the version offers, the comparison; findings as they are made."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import anyio.lowlevel
import anyio.to_thread

from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.model.report import ErrorKind, LimitHit, Report, RunError
from mcp_check_core.process.launch import SpawnError
from mcp_check_core.report.collector import FINDINGS_PER_RULE, Collector
from mcp_check_core.wire.connector import Connector
from mcp_check_core.wire.trace import TraceWriter
from mcp_stdio_guard.contract.setting import Setting
from mcp_stdio_guard.engine.gather import Gathering
from mcp_stdio_guard.engine.offers import offer_versions
from mcp_stdio_guard.facts.run import RunFacts
from mcp_stdio_guard.plan import Plan
from mcp_stdio_guard.rules.declare import Abstention, Block, Count, could_not_tell, not_applicable

if TYPE_CHECKING:
    from mcp_stdio_guard.engine.judging import Judging

Facts = TypeVar("Facts")
_CUT_SHORT = "the run ended before the server's run was over"


@dataclass(slots=True)
class Guard:
    """Checks one server. `report` may be called at any moment."""

    connector: Connector
    plan: Plan
    collector: Collector
    setting: Setting
    trace: TraceWriter | None = None
    runs: list[RunFacts] = field(default_factory=list)
    by_run: dict[int, list[Finding]] = field(default_factory=dict)
    _counts: Counter[tuple[int, str, Severity]] = field(default_factory=Counter)
    _going_on: Gathering | None = None

    async def run(self) -> None:
        """Run the server as often as planned, then offer it unspoken versions and compare the runs.

        The rules are loaded beside the first start, which takes its time anyway.
        """
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(anyio.to_thread.run_sync, _judging, abandon_on_cancel=True))
            await self._run_all()

    async def _run_all(self) -> None:
        for number in range(1, self.plan.repeat + 1):
            self._going_on = Gathering(self.connector, self.plan, number)
            with self.collector.phase(f"run {number}"):
                await self._going_on.run()
            ended, self._going_on = self._going_on, None
            await self._take(ended)
        with self.collector.phase("version offers"):
            await self._offer_versions()
        self._apply(_judging().all_runs, self.runs)

    def report(self, interrupted: str | None) -> Report:
        """Make the report of what is known; of a run that was cut short, what was seen stays true."""
        self._judge_cut_run()
        for hit in self.connector.limits_hit:
            self.collector.limit(hit)
        if self.trace is not None and self.trace.failure is not None:
            self.collector.error(RunError(ErrorKind.INTERNAL, self.trace.failure))
        return _judging().finished(
            self.collector,
            self.setting,
            runs=self.runs,
            by_run=self.by_run,
            starts=self.connector.starts,
            interrupted=interrupted,
        )

    async def _take(self, gathering: Gathering) -> None:
        """Judge a run that is over, with a chance to be stopped between blocks."""
        facts = gathering.facts()
        self.runs.append(facts)
        for block in _judging().a_run:
            self._apply(block, facts, run=facts.number)
            await anyio.lowlevel.checkpoint()
        if (breach := gathering.breach) is not None:
            message = f"the server was ended: its processes broke a limit: {breach.limit} {breach.allowed:g}"
            self.collector.error(RunError(ErrorKind.LIMIT, message))
            self.collector.limit(LimitHit(breach.limit, breach.allowed, f"run {facts.number}"))

    def _judge_cut_run(self) -> None:
        if self._going_on is None or self._going_on.connection is None:
            return
        facts = self._going_on.facts()
        self._going_on = None
        self.runs.append(facts)
        for block in _judging().a_run:
            found = block.judge(facts) if block.early else ()
            for judgement in found:
                if isinstance(judgement, Finding):
                    self._found(judgement, facts.number)
            for declared in block.declared:
                self.collector.not_run(declared.rule.id, _CUT_SHORT)

    async def _offer_versions(self) -> None:
        of_offers = _judging().offers
        reason = None
        if not self.plan.extras:
            reason = "this profile offers no unknown versions"
        elif not (self.runs and self.runs[0].initialized):
            reason = "there was no handshake to compare with"
        if reason is not None:
            self._settle(of_offers, not_applicable(of_offers.declared, reason))
            return
        try:
            offers = await offer_versions(self.connector)
            reason = "the server was ended for a limit before it had answered"
        except SpawnError as problem:
            offers, reason = None, f"the server did not start once more: {problem.message}"
        if offers is None:
            self._settle(of_offers, could_not_tell(of_offers.declared, reason))
        else:
            self._apply(of_offers, offers)

    def _apply(self, block: Block[Facts], facts: Facts, run: int | None = None) -> None:
        self._settle(block, block.judge(facts), run)

    def _settle(
        self, block: Block[Facts], judgements: Iterable[Finding | Abstention | Count], run: int | None = None
    ) -> None:
        """Pass judgements on; a rule that did not abstain has answered."""
        silent: set[str] = set()
        counts: dict[str, Count] = {}
        for judgement in judgements:
            if isinstance(judgement, Finding):
                self._found(judgement, run)
            elif isinstance(judgement, Count):
                counts[judgement.rule] = judgement
            else:
                silent.add(judgement.rule)
                abstain = (
                    self.collector.could_not_tell if judgement.unknown else self.collector.not_applicable
                )
                abstain(judgement.rule, judgement.reason)
        for declared in block.declared:
            rule = declared.rule.id
            if rule not in silent:
                count = counts.get(rule)
                self.collector.answered(
                    rule, judged=count.judged if count else None, of=count.of if count else None
                )

    def _found(self, finding: Finding, run: int | None) -> None:
        shown = finding
        if run is not None and self.plan.repeat > 1:
            shown = replace(finding, evidence={**finding.evidence, "run": run})
        counts = self.collector.found(shown)
        if run is not None and counts:
            alike = (run, finding.rule_id, finding.severity)
            self._counts[alike] += 1
            if self._counts[alike] <= FINDINGS_PER_RULE:
                self.by_run.setdefault(run, []).append(finding)


def _judging() -> "Judging":
    """Load all rules, and what makes the document; the import waits, so that the server starts sooner."""
    from mcp_stdio_guard.engine.judging import JUDGING  # noqa: PLC0415

    return JUDGING
