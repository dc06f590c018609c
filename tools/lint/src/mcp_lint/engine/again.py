"""List the definitions of a server again: at a second start, and as other clients."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from mcp_check_core.model.rule import Rule
from mcp_check_core.report.collector import Collector
from mcp_check_core.wire.not_connected import NotConnectedError
from mcp_lint.engine.bounded import bounded
from mcp_lint.engine.gather import Gathered
from mcp_lint.facts.definitions import Definitions
from mcp_lint.lock.comparing import between
from mcp_lint.registry import LOCK_CLIENTS, LOCK_REPEAT

Read = Callable[[], Awaitable[Gathered]]
_NOT_ASKED = {LOCK_CLIENTS.id: "not asked for (--clients)", LOCK_REPEAT.id: "not asked for (--repeat)"}


@dataclass(frozen=True, slots=True)
class Again:
    """Further readings of one server: the rule that compares each, and who or what it stands for."""

    readings: tuple[tuple[Rule, str, Read], ...] = ()

    async def compare(self, first: Definitions, collector: Collector) -> None:
        """Read again and report each difference; a reading that fails leaves its rule unanswered."""
        for rule, seen_by, read in self.readings:
            try:
                gathered = await read()
            except NotConnectedError as problem:
                collector.could_not_tell(rule.id, f"no session for {seen_by}: {problem.failure.value}")
                continue
            other = gathered.definitions
            if not (first.listing.whole and other.listing.whole):
                collector.could_not_tell(rule.id, f"tools/list could not be read whole for {seen_by}")
                continue
            for finding in between(first, other, rule, seen_by):
                collector.found(bounded(finding))
            collector.answered(rule.id)
        self.leave_out(collector)

    def leave_out(self, collector: Collector, reason: str | None = None) -> None:
        """Say of the rules that nobody asked for, or of all with `reason`, why they do not answer."""
        asked = {rule.id for rule, _, _ in self.readings} if reason is None else set()
        for rule, told in _NOT_ASKED.items():
            if rule not in asked:
                collector.not_applicable(rule, reason or told)
