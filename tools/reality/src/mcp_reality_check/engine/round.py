"""The calls of one tool: a realistic one, and those that its answer gives reason for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mcp_check_core.inputs.arguments import NotMade
from mcp_check_core.judges.disguise import judge_response
from mcp_check_core.model.tool import ToolDefinition
from mcp_reality_check.engine.drive import Driver
from mcp_reality_check.facts.call import Call, Input, Purpose, Read, Write
from mcp_reality_check.facts.outcome import Outcome
from mcp_reality_check.facts.writing import content_values, readers, shows, writes
from mcp_reality_check.inputs.made import Known, Prepared, prepare
from mcp_reality_check.inputs.probes import Listed, ProbeBook
from mcp_reality_check.inputs.read_back import ids_of, read_back

OVER_LIMIT = "it is over --max-calls"


@dataclass(slots=True)
class Round:
    """Calls tool after tool, and lets each answer give values to the calls behind it.

    `tools` are all that may be called, among them those that read what others write. `left` is how many
    calls may still be made; once there is none, `cut` counts those that are not made.
    """

    driver: Driver
    known: Known
    left: int
    tools: Sequence[ToolDefinition] = ()
    probes: ProbeBook | None = None
    cut: int = 0

    async def run(self, tool: ToolDefinition) -> str | None:
        """Call one tool; gives the reason where no call could be made. Raises ServerGoneError."""
        if self.probes is not None:
            listed, reasons = self.probes.of(tool)
            if listed:
                return await self._listed(tool, listed)
            if reasons and self.probes.allows(tool):
                return reasons[0]
        return await self._made(tool)

    async def _listed(self, tool: ToolDefinition, listed: Sequence[Listed]) -> str | None:
        """Make the calls that the file of probes has for a tool."""
        made = 0
        for one in listed:
            if self.driver.stopped(tool):
                break
            call = await self._call(tool, one.input, one.purpose)
            made += call is not None
            if call is not None:
                await self._follow(tool, call)
                await self._confirm(tool, call)
        return None if made else OVER_LIMIT

    async def _made(self, tool: ToolDefinition) -> str | None:
        """Make the calls whose input is made up."""
        prepared = prepare(tool, self.known)
        if isinstance(prepared, NotMade):
            return prepared.reason
        first = await self._call(tool, prepared.input, Purpose.REALISTIC)
        if first is None:
            return OVER_LIMIT
        if first.outcome is Outcome.ERROR and first.ending.environment is None:
            first = await self._once_more(prepared) or first
        await self._follow(tool, first)
        await self._confirm(tool, first)
        if tool.read_only and first.outcome is Outcome.ANSWERED:
            await self._compare(prepared, first)
        return None

    async def _confirm(self, tool: ToolDefinition, call: Call) -> None:
        """Where a write was answered well, ask tools that read the same kind of thing for it."""
        result = call.ending.result
        if call.outcome is not Outcome.ANSWERED or result is None or not writes(tool):
            return
        if judge_response(tool, call.input.arguments, result):
            return
        values = (*content_values(call.input.arguments), *ids_of(tool, result))
        reads: list[Read] = []
        shown = False
        for reader in readers(tool, self.tools):
            given = read_back(reader, tool, call.input.arguments, result, self.known)
            if not values or given is None or self.driver.stopped(reader) or shown:
                continue
            back = await self._call(reader, given, Purpose.READ_BACK)
            if back is None or back.outcome is not Outcome.ANSWERED or back.ending.result is None:
                continue
            reads.append(Read(reader.label, back.ending.result.text))
            shown = shows(back.ending.result, values)
        self.driver.wrote(tool, Write(call, tuple(reads), shown))

    async def _compare(self, prepared: Prepared, first: Call) -> None:
        """Ask for something that cannot exist, and for something else that may."""
        absent = await self._further(prepared.tool, prepared.absent(self.known), Purpose.ABSENT)
        if absent is None or first.purpose is not Purpose.REALISTIC:
            return
        if first.ending.result is not None and absent.ending.result is not None:
            alike = first.ending.result.content == absent.ending.result.content
            if alike:
                await self._further(prepared.tool, prepared.other(self.known), Purpose.OTHER)

    async def _follow(self, tool: ToolDefinition, call: Call) -> None:
        if call.outcome is Outcome.ANSWERED:
            await self.driver.follow(tool, call)

    async def _once_more(self, prepared: Prepared) -> Call | None:
        """Where realistic input is refused, offer another: what was made up may not exist there."""
        return await self._further(prepared.tool, prepared.other(self.known), Purpose.OTHER)

    async def _further(self, tool: ToolDefinition, given: Input | None, purpose: Purpose) -> Call | None:
        if given is None or self.driver.stopped(tool):
            return None
        return await self._call(tool, given, purpose)

    async def _call(self, tool: ToolDefinition, given: Input, purpose: Purpose) -> Call | None:
        """Make a call, unless as many were made as may be, and keep what its answer gives."""
        if self.left <= 0:
            self.cut += 1
            return None
        self.left -= 1
        call = await self.driver.call(tool, given, purpose)
        if (
            call.outcome is Outcome.ANSWERED
            and call.ending.result is not None
            and purpose is not Purpose.ABSENT
        ):
            self.known = replace(self.known, harvest=self.known.harvest.plus(tool, call.ending.result))
        return call
