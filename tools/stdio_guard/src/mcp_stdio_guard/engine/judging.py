"""What is needed once a run of the server is over: all rules in their blocks, and the report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.report import Report
from mcp_check_core.report.collector import Collector
from mcp_stdio_guard.contract.members import details, extra_members
from mcp_stdio_guard.contract.outcome import Judged, coverage, score, target_of
from mcp_stdio_guard.contract.setting import Setting
from mcp_stdio_guard.facts.run import RunFacts
from mcp_stdio_guard.facts.versions import VersionOffer
from mcp_stdio_guard.registry import OF_A_RUN, OF_ALL_RUNS, OF_OFFERS
from mcp_stdio_guard.rules.declare import Block


@dataclass(frozen=True, slots=True)
class Judging:
    """The blocks of rules, by what they judge."""

    a_run: tuple[Block[RunFacts], ...] = OF_A_RUN
    offers: Block[Sequence[VersionOffer]] = OF_OFFERS
    all_runs: Block[Sequence[RunFacts]] = OF_ALL_RUNS

    def finished(
        self,
        collector: Collector,
        setting: Setting,
        *,
        runs: Sequence[RunFacts],
        by_run: Mapping[int, Sequence[Finding]],
        starts: int,
        interrupted: str | None,
    ) -> Report:
        """Make the report of what is known of the runs."""
        judged = Judged(
            runs=tuple(runs),
            by_run={number: tuple(found) for number, found in by_run.items()},
            findings=collector.findings,
            result=collector.result,
        )
        return collector.finish(
            score=score(judged),
            coverage=coverage(judged),
            details=details(setting, judged, starts=starts),
            extra=extra_members(setting, judged, interrupted=interrupted is not None),
            target=target_of(setting.server.described, judged),
            interrupted=interrupted,
        )


JUDGING = Judging()
