"""Start a server as often as a check needs, always under the same limits."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import LimitHit
from mcp_check_core.process.launch import Exit, Graces, LaunchSpec, SpawnError, TreeLimits, launch
from mcp_check_core.wire.connection import Connection, FrameListener, open_connection
from mcp_check_core.wire.handshake import Handshake, initialize
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.reply import ReplyKind
from mcp_check_core.wire.session import Session
from mcp_check_core.wire.target import StdioTarget

STDERR_EVIDENCE = 1_000
"""Bytes of the end of stderr that go into evidence."""
_DEATH_S = 1.0


class ConnectFailure(StrEnum):
    """Why there is no session."""

    SPAWN = "spawn-failed"
    EXITED = "exited"
    CLOSED = "closed-pipe"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    UNUSABLE = "unusable-answer"


class NotConnectedError(Exception):
    """There is no session with the server; says how far it got.

    `evidence` holds bounded facts: exit code or signal, the end of stderr, what was answered.
    """

    def __init__(self, failure: ConnectFailure, message: str, evidence: dict[str, Json]) -> None:
        """Take the kind of failure, one sentence about the server, and the facts that show it."""
        super().__init__(message)
        self.failure = failure
        self.message = message
        self.evidence = evidence


@dataclass(slots=True)
class Connector:
    """Opens connections to one target, counts the starts and gathers the limits that were hit."""

    target: StdioTarget
    client: dict[str, Json]
    limits: WireLimits = field(default_factory=WireLimits)
    tree: TreeLimits = field(default_factory=TreeLimits)
    graces: Graces = field(default_factory=Graces)
    listen: FrameListener | None = None
    starts: int = 0
    limits_hit: list[LimitHit] = field(default_factory=list)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """Start the server and read from it, without any handshake. Raises SpawnError.

        Leaving the context ends the server and everything that it started.
        """
        self.starts += 1
        spec = LaunchSpec(self.target.argv, self.target.env, self.target.cwd, self._marker())
        async with (
            launch(spec, limits=self.tree) as process,
            open_connection(process, self.limits, self.listen) as connection,
        ):
            try:
                yield connection
            finally:
                self._note_limits(connection)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        """Start the server and make the handshake. Raises NotConnectedError.

        On leaving, the server is shut down in order (stdin closed, then terminated, then killed).
        """
        try:
            async with self.connection() as connection:
                handshake = await initialize(connection, self.client)
                if not handshake.ok:
                    raise await _not_connected(connection, handshake)
                yield Session(connection, handshake)
                await connection.close(self.graces)
        except SpawnError as problem:
            evidence: dict[str, Json] = {"code": problem.code}
            raise NotConnectedError(ConnectFailure.SPAWN, problem.message, evidence) from None

    def _marker(self) -> str | None:
        return self.target.launch_id and f"{self.target.launch_id}{self.starts:08x}"

    def _note_limits(self, connection: Connection) -> None:
        hits = list(connection.limits_hit)
        if (breach := connection.process.breach) is not None:
            hits.append(
                LimitHit(breach.limit, breach.allowed, f"the server's processes (seen: {breach.seen})")
            )
        if connection.stderr.truncated:
            hits.append(LimitHit("stderr bytes kept", self.limits.stderr_bytes, "the end is kept"))
        for hit in hits:
            if not any(known.limit == hit.limit for known in self.limits_hit):
                self.limits_hit.append(hit)


async def _not_connected(connection: Connection, handshake: Handshake) -> NotConnectedError:
    reply = handshake.reply
    gone = await connection.death(_DEATH_S) if reply.kind in (ReplyKind.CLOSED, ReplyKind.UNSENT) else None
    evidence: dict[str, Json] = {}
    if gone is not None:
        evidence |= exit_evidence(gone)
    if reply.excerpt:
        evidence["answer"] = reply.excerpt
    if tail := connection.stderr.tail(STDERR_EVIDENCE):
        evidence["stderr"] = tail
    message = handshake.problem or "it did not make the handshake"
    if gone is not None:
        message = f"it ended with {describe_exit(gone)} before it answered initialize"
    if (breach := connection.process.breach) is not None:
        message = f"it was ended, since its processes went over the limit of {breach.limit}"
        evidence |= {"limit": breach.limit, "allowed": breach.allowed}
    return NotConnectedError(_failure(reply.kind, gone), message, evidence)


def _failure(kind: ReplyKind, gone: Exit | None) -> ConnectFailure:
    match kind:
        case ReplyKind.CLOSED | ReplyKind.UNSENT:
            return ConnectFailure.CLOSED if gone is None else ConnectFailure.EXITED
        case ReplyKind.TIMEOUT:
            return ConnectFailure.TIMEOUT
        case ReplyKind.ERROR:
            return ConnectFailure.REFUSED
        case _:
            return ConnectFailure.UNUSABLE


def exit_evidence(gone: Exit) -> dict[str, Json]:
    """Give the facts of an exit for evidence: `exitCode` or `signal`, nothing where neither was seen."""
    if gone.signal is not None:
        return {"signal": gone.signal}
    return {} if gone.code is None else {"exitCode": gone.code}


def describe_exit(gone: Exit) -> str:
    """Say how a process ended: `exit code 1`, `signal 9`, `an exit code that was not seen`."""
    if gone.signal is not None:
        return f"signal {gone.signal}"
    return "an exit code that was not seen" if gone.code is None else f"exit code {gone.code}"
