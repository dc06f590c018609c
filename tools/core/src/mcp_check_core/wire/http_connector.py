"""Talk to a server behind a URL as often as a check needs, always under the same limits."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import LimitHit
from mcp_check_core.process.launch import Graces, TreeLimits
from mcp_check_core.wire.connector import Connector
from mcp_check_core.wire.handshake import Handshake
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.not_connected import (
    STREAMABLE,
    TWO_ENDPOINTS,
    ConnectFailure,
    NotConnectedError,
    failure_of,
)
from mcp_check_core.wire.opener import SessionOpener
from mcp_check_core.wire.peer import FrameListener, Peer
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.target import HttpTarget, StdioTarget
from mcp_check_core.wire.versions import Era

_NO_EVIDENCE = (408, 421, 425, 429)
"""Client errors that say nothing of what a server speaks."""
_OLD = (400, 404, 405)
"""What a server of the old transport says to a POST where its stream is."""


@dataclass(slots=True)
class HttpConnector(SessionOpener):
    """Opens sessions with a server behind a URL and gathers the limits that were hit."""

    target: HttpTarget
    client: dict[str, Json]
    limits: WireLimits = field(default_factory=WireLimits)
    graces: Graces = field(default_factory=Graces)
    listen: FrameListener | None = None
    starts: int = 0
    limits_hit: list[LimitHit] = field(default_factory=list)

    @property
    def protocol(self) -> str:
        """The version that the target is to be spoken to in, or `AUTO`."""
        return self.target.protocol

    @asynccontextmanager
    async def peer(self) -> AsyncIterator[Peer]:
        """Begin a conversation. Entering raises NotConnectedError where a credential is not at hand."""
        from mcp_check_core.wire.http_connection import (  # noqa: PLC0415 - brings httpx2, wanted by URLs alone
            open_http_connection,
        )
        from mcp_check_core.wire.http_wire import HttpWire, UnreachableError  # noqa: PLC0415 - likewise

        if self.target.missing:
            message = f"the value of the header {self.target.missing[0]} is not set"
            raise NotConnectedError(ConnectFailure.CREDENTIAL, message, {})
        self.starts += 1
        try:
            wire = HttpWire(self.target, self.limits)
        except UnreachableError as problem:
            message = f"it cannot be reached ({problem})"
            raise NotConnectedError(ConnectFailure.UNREACHABLE, message, {}) from None
        async with open_http_connection(wire, self.limits, self.listen) as connection:
            try:
                yield connection
            finally:
                for hit in connection.limits_hit:
                    if not any(known.limit == hit.limit for known in self.limits_hit):
                        self.limits_hit.append(hit)

    def may_be_modern(self, problem: NotConnectedError) -> bool:
        """Whether initialize was refused in so many words; a time-out or a broken gateway is no evidence."""
        reply = problem.handshake.reply if problem.handshake is not None else None
        if reply is None or problem.failure is not ConnectFailure.REFUSED:
            return False
        if problem.evidence.get("transport") == TWO_ENDPOINTS:
            return False
        status = reply.status or 200
        refused = reply.kind is ReplyKind.ERROR or status >= 400
        return refused and status < 500 and status not in _NO_EVIDENCE

    async def why_not(self, peer: Peer, handshake: Handshake) -> NotConnectedError:  # noqa: ARG002 - of stdio
        """Say why an opening request did not lead to a session."""
        reply = handshake.reply
        evidence: dict[str, Json] = {"transport": STREAMABLE}
        if reply.status is not None:
            evidence["status"] = reply.status
        if reply.excerpt:
            evidence["answer"] = reply.excerpt
        message = handshake.problem or "it did not make the handshake"
        failure = _failure(reply)
        if failure is ConnectFailure.AUTH:
            message = f"it wants a login (HTTP status {reply.status})"
        elif failure is ConnectFailure.UNREACHABLE:
            message = reply.problem or message
        elif self._may_be_old(handshake) and await self._is_old():
            message = "it speaks HTTP+SSE with two endpoints (2024-11-05), which is not supported here"
            evidence["transport"] = TWO_ENDPOINTS
        return NotConnectedError(failure, message, evidence, handshake)

    def _may_be_old(self, handshake: Handshake) -> bool:
        """Whether a POST was refused as one is where a stream is to be had: not by JSON-RPC."""
        reply = handshake.reply
        refused = reply.kind is ReplyKind.MALFORMED and reply.status in _OLD
        return refused and handshake.era is Era.HANDSHAKE

    async def _is_old(self) -> bool:
        from mcp_check_core.wire.http_legacy import speaks_old_transport  # noqa: PLC0415 - brings httpx2

        return await speaks_old_transport(self.target, self.limits)


def make_connector(
    target: StdioTarget | HttpTarget,
    client: dict[str, Json],
    limits: WireLimits | None = None,
    tree: TreeLimits | None = None,
    *,
    listen: FrameListener | None = None,
) -> SessionOpener:
    """Make what opens sessions with a target, whichever kind it is of."""
    bounds = limits or WireLimits()
    if isinstance(target, HttpTarget):
        return HttpConnector(target, client, bounds, listen=listen)
    return Connector(target, client, bounds, tree or TreeLimits(), listen=listen)


def _failure(reply: Reply) -> ConnectFailure:
    if reply.login_needed:
        return ConnectFailure.AUTH
    if reply.kind is ReplyKind.UNSENT:
        return ConnectFailure.UNREACHABLE
    if reply.kind is ReplyKind.MALFORMED and (reply.status or 0) >= 300:
        return ConnectFailure.REFUSED
    return failure_of(reply, None)
