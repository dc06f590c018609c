"""Make the calls in order, and find out which one is to blame where a server ends or hangs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mcp_check_core.judges.environment import EnvironmentKind
from mcp_check_core.model.tool import ToolDefinition
from mcp_check_core.wire.connector import NotConnectedError
from mcp_check_core.wire.session import Session
from mcp_reality_check.engine.caller import describe_death, make_call, watch
from mcp_reality_check.engine.links import follow_links
from mcp_reality_check.engine.servers import HUNG, Servers
from mcp_reality_check.facts.call import TRIES, Call, Input, Link, Purpose, ToolCalls, Write, tool_calls
from mcp_reality_check.facts.outcome import Ending, Outcome
from mcp_reality_check.facts.output_schema import OutputSchema, read_output_schema

TIMEOUTS = 2
"""Time-outs after which a tool is not called again, those of repeated calls included."""
HANGING = 3
"""Tools that had their second time-out, after which a call that hangs is not made again."""
LAST_LOOK_S = 0.1
"""How long is waited, before a server is ended in order, for it to die of the last call."""

Listener = Callable[[str, Call], None]


class ServerGoneError(Exception):
    """The server could not be reached again; `tool` says which one was to be called then."""

    def __init__(self, tool: str, problem: NotConnectedError) -> None:
        """Take the tool that could not be called and why there is no session."""
        super().__init__(problem.message)
        self.tool = tool
        self.problem = problem


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a call is kept: tool and position."""

    tool: ToolDefinition
    position: int


class Driver:
    """Makes calls one after the other and keeps them by tool.

    `made` is told of each call that is settled. `count` is how many were made, `repeated` how many of them
    again.
    """

    def __init__(self, servers: Servers, made: Listener) -> None:
        """Take the servers to call; no call is made yet."""
        self.count = 0
        self.repeated = 0
        self._servers = servers
        self._made = made
        self._tools: dict[str, ToolDefinition] = {}
        self._outputs: dict[str, OutputSchema] = {}
        self._calls: dict[str, list[Call]] = {}
        self._links: dict[str, list[Link]] = {}
        self._writes: dict[str, list[Write]] = {}
        self._stopped: dict[str, str] = {}
        self._timeouts: dict[str, int] = {}
        self._last: _Spot | None = None

    @property
    def results(self) -> tuple[ToolCalls, ...]:
        """The calls so far, by tool in the order in which they were first called."""
        return tuple(replace(self.result(tool), offline=self.offline) for tool in self._tools.values())

    def wrote(self, tool: ToolDefinition, write: Write) -> None:
        """Keep what the reads behind a write show of it."""
        self._writes.setdefault(tool.label, []).append(write)

    @property
    def offline(self) -> bool:
        """Whether calls of the server failed for want of the network."""
        calls = (call for kept in self._calls.values() for call in kept)
        return any(call.ending.environment is EnvironmentKind.NETWORK for call in calls)

    def result(self, tool: ToolDefinition) -> ToolCalls:
        """Give the calls of one tool so far."""
        seen = tool_calls(
            tool,
            tuple(self._calls.get(tool.label, ())),
            stopped=self._stopped.get(tool.label),
            output=self._outputs.get(tool.label),
            links=tuple(self._links.get(tool.label, ())),
        )
        return replace(seen, writes=tuple(self._writes.get(tool.label, ())))

    def stopped(self, tool: ToolDefinition) -> bool:
        """Whether a tool is not to be called again."""
        return tool.label in self._stopped

    async def call(self, tool: ToolDefinition, given: Input, purpose: Purpose) -> Call:
        """Make one call and settle what became of it. Raises ServerGoneError."""
        if tool.label not in self._tools:
            self._tools[tool.label] = tool
            self._outputs[tool.label] = read_output_schema(tool)
            self._calls[tool.label] = []
        session = await self._session(tool)
        self.count += 1
        call = await make_call(session, tool.name or "", given, purpose)
        match call.outcome:
            case Outcome.CRASH:
                return await self._crashed(tool, call)
            case Outcome.TIMEOUT:
                return await self._hung(tool, call)
            case Outcome.STOPPED:
                self._stopped[tool.label] = f"not called again: {call.ending.detail}"
                await self._leave()
        spot = self._keep(tool, call)
        self._last = None if call.outcome is Outcome.STOPPED else spot
        return call

    async def follow(self, tool: ToolDefinition, call: Call) -> None:
        """Read the resources that an answer links to, as far as the server is the one to give them."""
        session = self._servers.session
        if session is None or self._servers.gone:
            return
        links = await follow_links(session, call)
        self._links.setdefault(tool.label, []).extend(links)
        if session.connection.ended is not None:
            self._last = None
            await self._leave()

    async def finish(self) -> None:
        """End the server in order, and see whether the last call was its end. Raises ServerGoneError."""
        session, last = self._servers.session, self._last
        if session is not None and last is not None:
            await session.connection.death(LAST_LOOK_S)
            if self._servers.gone:
                await self._blame_last(session)
        await self._servers.close()

    async def _session(self, tool: ToolDefinition) -> Session:
        """Give a session that can take a call. Raises ServerGoneError."""
        if self._servers.session is not None and self._servers.gone:
            await self._blame_last(self._servers.session)
        session = self._servers.session
        if session is None or self._servers.gone or self._servers.spent:
            self._last = None
            session = await self._fresh(tool)
        return session

    async def _fresh(self, tool: ToolDefinition) -> Session:
        try:
            return await self._servers.open()
        except NotConnectedError as problem:
            raise ServerGoneError(tool.label, problem) from None

    async def _crashed(self, tool: ToolDefinition, call: Call) -> Call:
        """Settle a call on which the connection closed; it may have been dying of the one before."""
        last, self._last = self._last, None
        await self._leave()
        tries = await self._again(tool, call)
        deaths = sum(again.outcome is Outcome.CRASH for again in tries)
        if not deaths and last is not None and await self._killed_by(last, call):
            self._keep(tool, tries[-1])
            return tries[-1]
        settled = replace(call, seen=1 + deaths, tries=TRIES)
        self._keep(tool, settled)
        self._stopped[tool.label] = "not called again after a call that ended the server"
        return settled

    async def _killed_by(self, last: _Spot, death: Call) -> bool:
        """Try the call before alone: if the server dies of it after its answer, it is to blame."""
        before = self._calls[last.tool.label][last.position]
        tries = await self._again(last.tool, before)
        deaths = sum(again.outcome is Outcome.CRASH for again in tries)
        if deaths:
            self._settle_as_crash(last, death, 1 + deaths)
        return deaths > 0

    async def _blame_last(self, session: Session) -> None:
        """The server is gone between two calls: the one before is to blame, whether it repeats or not."""
        spot, self._last = self._last, None
        if spot is None:
            await self._leave()
            return
        before = self._calls[spot.tool.label][spot.position]
        death = await describe_death(session, before)
        await self._leave()
        if death.outcome is not Outcome.CRASH:
            return
        self._settle_as_crash(spot, death, 1)
        tries = await self._again(spot.tool, before)
        self._settle_as_crash(spot, death, 1 + sum(again.outcome is Outcome.CRASH for again in tries))

    async def _hung(self, tool: ToolDefinition, call: Call) -> Call:
        """Settle a call that had no answer: it is made once more, and after that the tool is left."""
        self._last = None
        await self._leave(hung=True)
        hanging = sum(count >= TIMEOUTS for count in self._timeouts.values())
        tries = await self._again(tool, call, most=TIMEOUTS - 1) if hanging < HANGING else []
        waits = [again for again in tries if again.outcome is Outcome.TIMEOUT]
        settled = replace(call, seen=1 + len(waits), tries=1 + len(tries))
        self._keep(tool, settled)
        count = self._timeouts.get(tool.label, 0) + 1 + len(waits)
        self._timeouts[tool.label] = count
        if count >= TIMEOUTS:
            self._stopped[tool.label] = "not called again after its second time-out"
        elif not tries:
            self._stopped[tool.label] = f"not called again after a time-out, as {HANGING} other tools hang"
        return settled

    async def _again(self, tool: ToolDefinition, call: Call, most: int = TRIES - 1) -> Sequence[Call]:
        """Make a call again, each time on a server of its own that is watched.

        Where there is no server for that, keeps the call as it was. Raises ServerGoneError.
        """
        tries: list[Call] = []
        for _ in range(most):
            try:
                session = await self._fresh(tool)
            except ServerGoneError:
                self._keep_once(tool, call)
                raise
            self.count += 1
            self.repeated += 1
            again = await make_call(session, tool.name or "", call.input, call.purpose)
            tries.append(await watch(session, again))
            await self._leave(hung=again.waited)
        return tries

    async def _leave(self, *, hung: bool = False) -> None:
        await self._servers.close(HUNG if hung else None)

    def _keep_once(self, tool: ToolDefinition, call: Call) -> None:
        if all(kept.input is not call.input for kept in self._calls[tool.label]):
            self._keep(tool, call)

    def _keep(self, tool: ToolDefinition, call: Call) -> _Spot:
        calls = self._calls[tool.label]
        calls.append(call)
        self._made(tool.label, call)
        return _Spot(tool, len(calls) - 1)

    def _settle_as_crash(self, spot: _Spot, death: Call, seen: int) -> None:
        """Turn a call that was answered into one that ended the server afterwards."""
        calls = self._calls[spot.tool.label]
        calls[spot.position] = replace(
            calls[spot.position],
            ending=Ending(Outcome.CRASH, "the connection closed after the answer"),
            death=death.death,
            stderr=death.stderr,
            after_answer=True,
            seen=seen,
            tries=TRIES,
        )
        self._stopped[spot.tool.label] = "not called again after a call that ended the server"
