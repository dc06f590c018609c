"""Make the cases of each tool in order, and find out which call is to blame where a server ends or hangs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from mcp_check_core.judges.environment import EnvironmentKind
from mcp_check_core.model.tool import ToolDefinition
from mcp_check_core.process.launch import Shutdown
from mcp_check_core.wire.connector import NotConnectedError
from mcp_check_core.wire.session import Session
from mcp_fuzz.engine.caller import CLOSED, describe_death, make_call, watch
from mcp_fuzz.engine.servers import HUNG, Servers
from mcp_fuzz.facts.call import TRIES, Call, ToolCalls
from mcp_fuzz.facts.case import Case
from mcp_fuzz.facts.outcome import Outcome, Verdict
from mcp_fuzz.inputs.cases import ToolCases

TIMEOUTS = 2
"""Time-outs after which a tool is not called again, those of repeated cases included."""
CRASHES = 8
"""Cases that end the server, after which a tool is not called again."""

LAST_LOOK_S = 0.1
"""How long is waited, before a server is ended in order, for it to die of the last call."""

Listener = Callable[[Call], None]


class ServerGoneError(Exception):
    """The server could not be reached again; `tool` and `case` say what was to be made then."""

    def __init__(self, case: Case, problem: NotConnectedError) -> None:
        """Take the case that could not be made and why there is no session."""
        super().__init__(problem.message)
        self.case = case
        self.problem = problem


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a call is kept: tool and position."""

    tool: str
    position: int


class Driver:
    """Makes calls one after the other and keeps them by tool; `repeated` counts the calls made again.

    `made` is told of each call that is settled; `blamed` names the tools of which a call turned out later to
    have ended the server.
    """

    def __init__(self, servers: Servers, tools: Mapping[str, ToolDefinition], made: Listener) -> None:
        """Take the servers to call, the definitions of the tools by name, and who is told."""
        self._tools = tools
        self.repeated = 0
        self.blamed: list[str] = []
        self._servers = servers
        self._made = made
        self._calls: dict[str, list[Call]] = {}
        self._stopped: dict[str, str] = {}
        self._timeouts: dict[str, int] = {}
        self._last: _Spot | None = None
        self._careful = False

    def begin(self, listing: Call, *, same_server: bool) -> None:
        """Take the request for the tools; made to the server that is open, it may be what ends it."""
        self._calls[listing.case.tool] = [listing]
        self._last = _Spot(listing.case.tool, 0) if same_server else None

    @property
    def results(self) -> tuple[ToolCalls, ...]:
        """The calls so far, by tool in the order in which they were first called."""
        return tuple(self.result(tool) for tool in self._calls)

    def result(self, tool: str) -> ToolCalls:
        """The calls of one tool so far."""
        return ToolCalls(tool, tuple(self._calls.get(tool, ())), self._stopped.get(tool))

    async def run(self, plan: ToolCases) -> None:
        """Make the cases of one tool. Raises ServerGoneError."""
        self._calls.setdefault(plan.tool, [])
        self._careful = False
        for case in plan.cases:
            await self._make(case)
            if plan.tool in self._stopped:
                break

    async def finish(self) -> None:
        """End the server in order, and see whether the last call was its end. Raises ServerGoneError.

        Was it gone before, that call is to blame. Did it fail while it ended, it may have been dying of the
        call already, which is tried again, unless a fresh server that is called for nothing fails so too.
        """
        session, last = self._servers.session, self._last
        if session is not None and last is not None:
            await session.connection.death(LAST_LOOK_S)
        shutdown = await self._servers.close()
        if session is None or shutdown is None or last is None or session.connection.process.breach:
            return
        if not shutdown.closed_stdin:
            await self._blame_last(self._call_at(last).case, session)
        elif _failed_by_itself(shutdown, session) and not await self._fails_anyway(session):
            await self._killed_by(last, await describe_death(session, Call(self._call_at(last).case, CLOSED)))

    async def _fails_anyway(self, session: Session) -> bool:
        """Whether a server without a call ends with the same failure when its stdin is closed."""
        try:
            fresh = await self._servers.open()
        except NotConnectedError:
            return False
        shutdown = await self._servers.close()
        failed = shutdown is not None and _failed_by_itself(shutdown, fresh)
        return failed and fresh.connection.process.exit == session.connection.process.exit

    async def _make(self, case: Case) -> None:
        await self._prepare(case)
        session = self._servers.session
        if session is None:
            raise RuntimeError("a server was prepared and is not there")
        call = await make_call(session, case, self._tools.get(case.name))
        if self._careful:
            call = await watch(session, call)
        match call.outcome:
            case Outcome.CRASH:
                await self._crashed(call)
            case Outcome.TIMEOUT:
                await self._hung(call)
            case Outcome.STOPPED:
                self._keep(call)
                self._stopped[case.tool] = f"not called again: {call.verdict.detail}"
                await self._leave()
            case _:
                self._last = self._keep(call)

    async def _prepare(self, case: Case) -> None:
        """See to it that there is a server to call."""
        if self._servers.session is not None and self._servers.gone and self._last is not None:
            await self._blame_last(case, self._servers.session)
        if self._servers.session is None or self._servers.gone or self._servers.spent:
            self._last = None
            try:
                await self._servers.open()
            except NotConnectedError as problem:
                raise ServerGoneError(case, problem) from None

    async def _crashed(self, call: Call) -> None:
        """Settle a call on which the connection closed."""
        last, self._last = self._last, None
        await self._leave()
        tries = await self._again(call)
        deaths = [again for again in tries if again.outcome is Outcome.CRASH]
        answered = any(again.after_answer for again in deaths) and not call.after_answer
        if last is not None and (not deaths or answered) and await self._killed_by(last, call):
            if deaths:
                await self._make(call.case)
            else:
                self._last = None
                self._keep(tries[-1])
            return
        self._keep(replace(call, seen=1 + len(deaths), tries=TRIES))
        self._count_waits([call, *tries])
        crashes = sum(kept.outcome is Outcome.CRASH for kept in self._calls[call.case.tool])
        if crashes >= CRASHES:
            self._stopped[call.case.tool] = f"not called again after {crashes} calls that ended the server"

    async def _killed_by(self, last: _Spot, death: Call) -> bool:
        """Try the call before alone: if the server dies of it after its answer, it is to blame."""
        before = self._call_at(last)
        tries = [await self._alone(before.case) for _ in range(TRIES - 1)]
        deaths = sum(again.outcome is Outcome.CRASH for again in tries)
        if deaths:
            self._careful = True
            self._settle_as_crash(last, death, 1 + deaths)
        return deaths > 0

    async def _blame_last(self, case: Case, session: Session) -> None:
        """The server is gone between two calls: the one before is to blame, whether it repeats or not."""
        spot, self._last = self._last, None
        if spot is None:
            return
        death = await describe_death(session, Call(self._call_at(spot).case, CLOSED))
        await self._leave()
        try:
            tries = [await self._alone(death.case) for _ in range(TRIES - 1)]
        except ServerGoneError as gone:
            self._settle_as_crash(spot, death, 1)
            raise ServerGoneError(case, gone.problem) from None
        self._careful = True
        self._settle_as_crash(spot, death, 1 + sum(again.outcome is Outcome.CRASH for again in tries))

    async def _hung(self, call: Call) -> None:
        """Settle a call that had no answer."""
        self._last = None
        await self._leave(hung=True)
        tries = await self._again(call)
        seen = 1 + sum(again.outcome is Outcome.TIMEOUT for again in tries)
        wanting = next((again.verdict.environment for again in tries if again.verdict.environment), None)
        verdict = replace(call.verdict, environment=wanting)
        self._keep(replace(call, verdict=verdict, seen=seen, tries=TRIES, offline=self._offline))
        self._count_waits([call, *tries])

    @property
    def _offline(self) -> bool:
        """Whether a call so far has failed for want of the network."""
        network = EnvironmentKind.NETWORK.wanted
        return any(call.verdict.environment == network for calls in self._calls.values() for call in calls)

    def _count_waits(self, calls: Sequence[Call]) -> None:
        tool = calls[0].case.tool
        self._timeouts[tool] = self._timeouts.get(tool, 0) + sum(call.waited for call in calls)
        if self._timeouts[tool] >= TIMEOUTS:
            self._stopped[tool] = "not called again after its second time-out"

    async def _again(self, call: Call) -> list[Call]:
        """Make the case of a call twice more; where there is no server for that, keep the call as it was."""
        try:
            return [await self._alone(call.case) for _ in range(TRIES - 1)]
        except ServerGoneError:
            self._keep(call)
            raise

    async def _alone(self, case: Case) -> Call:
        """Make a case again on a server of its own, and watch whether that dies. Raises ServerGoneError."""
        try:
            session = await self._servers.open()
        except NotConnectedError as problem:
            raise ServerGoneError(case, problem) from None
        self.repeated += 1
        call = await watch(session, await make_call(session, case, self._tools.get(case.name)))
        await self._leave(hung=call.waited)
        return call

    async def _leave(self, *, hung: bool = False) -> None:
        await self._servers.close(HUNG if hung else None)

    def _keep(self, call: Call) -> _Spot:
        calls = self._calls[call.case.tool]
        calls.append(call)
        self._made(call)
        return _Spot(call.case.tool, len(calls) - 1)

    def _call_at(self, spot: _Spot) -> Call:
        return self._calls[spot.tool][spot.position]

    def _settle_as_crash(self, spot: _Spot, death: Call, seen: int) -> None:
        """Turn a call that was answered into one that ended the server afterwards."""
        self._calls[spot.tool][spot.position] = replace(
            self._call_at(spot),
            verdict=Verdict(Outcome.CRASH, "the connection closed after the answer"),
            death=death.death,
            stderr=death.stderr,
            after_answer=True,
            seen=seen,
            tries=TRIES,
        )
        self._made(self._calls[spot.tool][spot.position])
        self.blamed.append(spot.tool)


def _failed_by_itself(shutdown: Shutdown, session: Session) -> bool:
    gone = session.connection.process.exit
    ended_by_us = shutdown.sent_sigterm or shutdown.sent_sigkill
    return gone is not None and not ended_by_us and gone.code != 0
