"""Drive one start of the server and gather its facts; what is known can be asked for at any moment."""

from dataclasses import dataclass, field

from mcp_check_core.process.launch import Breach, Exit, Shutdown, SpawnError
from mcp_check_core.wire.connection import Connection
from mcp_check_core.wire.connector import Connector
from mcp_check_core.wire.handshake import Handshake
from mcp_check_core.wire.listing import Listing, read_list
from mcp_check_core.wire.reply import ReplyKind
from mcp_check_core.wire.transcript import Direction, Phase, StreamEnd
from mcp_stdio_guard.engine.handshake import INITIALIZED, confirm, shake_hands
from mcp_stdio_guard.engine.python_command import buffers_output
from mcp_stdio_guard.facts.run import (
    CAPABILITY_LISTS,
    ListFacts,
    ListOutcome,
    Operation,
    ProcessFacts,
    RunFacts,
    WireFacts,
)
from mcp_stdio_guard.plan import Plan

_DEATH_S = 1.0
"""How long an end of the process may follow the end of its output to be seen as one event."""
_SLOW_MOST_S = 0.3
"""How much longer the wire is watched at most, which is half as long as the start took."""
_TAIL_BYTES = 4_000
_GONE = (ReplyKind.CLOSED, ReplyKind.UNSENT)


@dataclass(slots=True)
class Gathering:
    """One run while it goes on. `facts` may be called at any moment."""

    connector: Connector
    plan: Plan
    number: int
    spawn_error: SpawnError | None = None
    connection: Connection | None = None
    handshake: Handshake | None = None
    startup_ms: float | None = None
    lists: list[ListFacts] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    gone: Exit | None = None
    died_in: Phase | None = None
    shutdown: Shutdown | None = None

    async def run(self) -> None:
        """Start the server, go through the run, and end the server in order."""
        try:
            async with self.connector.connection() as connection:
                self.connection = connection
                await self._talk(connection)
                await self._see_end(connection)
                self.shutdown = await connection.close(self.connector.graces)
        except SpawnError as problem:
            self.spawn_error = problem

    async def _talk(self, connection: Connection) -> None:
        self.handshake = await shake_hands(connection, self.connector.client)
        self.startup_ms = connection.now_ms
        if not self.handshake.ok:
            return
        await confirm(connection, self.plan.hold_s if self.number == 1 else 0.0)
        if self.plan.extras:
            await self._ask_lists(connection, self.handshake)
        for request in self.plan.requests:
            reply = await connection.request(request.method, request.params)
            self.operations.append(Operation(request.method, request.params, reply))
        if self.number == 1:
            await self._watch(connection)

    async def _ask_lists(self, connection: Connection, handshake: Handshake) -> None:
        for capability, methods in CAPABILITY_LISTS.items():
            if not isinstance(handshake.capabilities.get(capability), dict):
                continue
            for method in methods:
                listing = await read_list(connection, method)
                self.lists.append(_facts_of(listing))
                if listing.reply.kind in _GONE:
                    return

    async def _watch(self, connection: Connection) -> None:
        """Look at the wire for a moment longer, for what comes late; an end of the process ends that."""
        started_s = (self.startup_ms or 0.0) / 1000
        wanted = self.plan.watch_s + min(started_s / 2, _SLOW_MOST_S) if self.plan.watch_s else 0.0
        rest = wanted - (connection.now_ms / 1000 - started_s)
        if rest > 0 and connection.ended is None:
            await connection.death(rest)

    async def _see_end(self, connection: Connection) -> None:
        """Note an end that came before we closed stdin."""
        if connection.ended is StreamEnd.EOF:
            self.gone = await connection.death(_DEATH_S)
        else:
            self.gone = connection.process.exit
        if self.gone is not None:
            self.died_in = self._phase_of_end()

    def _phase_of_end(self) -> Phase:
        if self.handshake is None or not self.handshake.ok:
            return Phase.STARTUP
        replies = [*(one.reply for one in self.lists), *(one.reply for one in self.operations)]
        lost = any(reply.kind is ReplyKind.CLOSED for reply in replies)
        return Phase.OPERATION if lost else Phase.POST_INITIALIZE

    @property
    def breach(self) -> Breach | None:
        """The limit of the process tree for which the server was ended."""
        return self.connection.process.breach if self.connection is not None else None

    def facts(self) -> RunFacts:
        """Freeze what is known."""
        limits = self.connector.limits
        return RunFacts(
            number=self.number,
            process=self._process(),
            wire=self._wire(),
            handshake=self.handshake,
            startup_ms=self.startup_ms,
            request_s=limits.request_s,
            startup_s=limits.startup_s,
            lists_asked=self.plan.extras,
            lists=tuple(self.lists),
            operations=tuple(self.operations),
            plain_python=buffers_output(self.connector.target.argv, self.connector.target.env),
        )

    def _process(self) -> ProcessFacts:
        if self.spawn_error is not None:
            return ProcessFacts(spawn_code=self.spawn_error.code, spawn_message=self.spawn_error.message)
        if self.connection is None:
            return ProcessFacts(spawn_code="", spawn_message="the run ended before")
        return ProcessFacts(
            pid=self.connection.process.pid,
            exit=self.gone or self.connection.process.exit,
            alone=self.gone is not None,
            died_in=self.died_in,
            shutdown=self.shutdown,
            breach=self.breach,
            stdin_grace_s=self.connector.graces.stdin,
        )

    def _wire(self) -> WireFacts:
        connection = self.connection
        if connection is None:
            return WireFacts()
        over = connection.ended is StreamEnd.LIMIT
        killed = self.shutdown is not None and self.shutdown.sent_sigkill
        frames = connection.transcript.frames
        return WireFacts(
            frames=tuple(frame for frame in frames if frame.direction is Direction.RECEIVED),
            initialized_ms=next((frame.at_ms for frame in frames if frame.method == INITIALIZED), None),
            received=connection.transcript.received,
            invalid=connection.transcript.invalid,
            stdout_bytes=connection.stdout_bytes,
            stdout_limit=connection.limits.stdout_bytes,
            line_limit=connection.limits.line_bytes,
            over_limit=over,
            cut=over or killed or self.breach is not None,
            stderr_bytes=connection.stderr.total,
            stderr_lines=connection.stderr.lines,
            stderr_limit=connection.limits.stderr_bytes,
            stderr_tail=connection.stderr.tail(_TAIL_BYTES),
        )


def _facts_of(listing: Listing) -> ListFacts:
    return ListFacts(
        method=listing.method,
        items=listing.items,
        pages=listing.pages,
        outcome=ListOutcome(listing.end.value),
        reply=listing.reply,
        problem=listing.problem,
    )
