"""Start a server as often as a check needs, always under the same limits."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import LimitHit
from mcp_check_core.process.launch import Exit, Graces, LaunchSpec, SpawnError, TreeLimits, launch
from mcp_check_core.wire.connection import Connection, FrameListener, open_connection
from mcp_check_core.wire.handshake import Handshake
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.not_connected import ConnectFailure, NotConnectedError, failure_of
from mcp_check_core.wire.opener import SessionOpener, silent_or_refused
from mcp_check_core.wire.peer import Peer
from mcp_check_core.wire.reply import ReplyKind
from mcp_check_core.wire.target import StdioTarget

__all__ = ["ConnectFailure", "Connector", "NotConnectedError", "describe_exit", "exit_evidence"]

STDERR_EVIDENCE = 1_000
"""Bytes of the end of stderr that go into evidence."""
_DEATH_S = 1.0


@dataclass(slots=True)
class Connector(SessionOpener):
    """Opens connections to a server that we start, counts the starts and gathers the limits that were hit."""

    target: StdioTarget
    client: dict[str, Json]
    limits: WireLimits = field(default_factory=WireLimits)
    tree: TreeLimits = field(default_factory=TreeLimits)
    graces: Graces = field(default_factory=Graces)
    listen: FrameListener | None = None
    starts: int = 0
    limits_hit: list[LimitHit] = field(default_factory=list)

    @property
    def protocol(self) -> str:
        """The version that the target is to be spoken to in, or `AUTO`."""
        return self.target.protocol

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
    async def peer(self) -> AsyncIterator[Peer]:
        """Start the server. Entering raises NotConnectedError where it cannot be started."""
        try:
            async with self.connection() as connection:
                yield connection
        except SpawnError as problem:
            evidence: dict[str, Json] = {"code": problem.code}
            raise NotConnectedError(ConnectFailure.SPAWN, problem.message, evidence) from None

    def may_be_modern(self, problem: NotConnectedError) -> bool:
        """Whether initialize was refused or unanswered, or the server ended on it."""
        return silent_or_refused(problem)

    async def why_not(self, peer: Peer, handshake: Handshake) -> NotConnectedError:
        """Say why an opening request did not lead to a session."""
        reply = handshake.reply
        lost = reply.kind in (ReplyKind.CLOSED, ReplyKind.UNSENT)
        told = reply.kind is ReplyKind.MALFORMED and reply.error is not None
        gone = await peer.death(_DEATH_S) if lost or told else None
        evidence: dict[str, Json] = {}
        if gone is not None:
            evidence |= exit_evidence(gone)
        if reply.excerpt:
            evidence["answer"] = reply.excerpt
        if tail := peer.stderr.tail(STDERR_EVIDENCE):
            evidence["stderr"] = tail
        message = handshake.problem or "it did not make the handshake"
        if gone is not None and told:
            message = f"{message}, and it ended with {describe_exit(gone)}"
        elif gone is not None:
            message = f"it ended with {describe_exit(gone)} before it answered {reply.method}"
        if (breach := peer.process.breach) is not None:
            message = f"it was ended, since its processes went over the limit of {breach.limit}"
            evidence |= {"limit": breach.limit, "allowed": breach.allowed}
        return NotConnectedError(failure_of(reply, gone), message, evidence, handshake)

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
