"""Why there is no session with a server."""

from enum import StrEnum

from mcp_check_core.model.json_value import Json
from mcp_check_core.process.launch import Exit
from mcp_check_core.wire.handshake import Handshake
from mcp_check_core.wire.reply import Reply, ReplyKind

STREAMABLE = "streamable-http"
TWO_ENDPOINTS = "http+sse"
"""How a server behind a URL is spoken to, as evidence says it; the latter is that of 2024-11-05."""


class ConnectFailure(StrEnum):
    """Why there is no session. The last three say nothing of the server."""

    SPAWN = "spawn-failed"
    EXITED = "exited"
    CLOSED = "closed-pipe"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    UNUSABLE = "unusable-answer"
    AUTH = "auth-required"
    UNREACHABLE = "unreachable"
    CREDENTIAL = "missing-credential"


class NotConnectedError(Exception):
    """There is no session with the server; says how far it got.

    `evidence` holds bounded facts: exit code or signal, the end of stderr, what was answered. `handshake` is
    the answer to initialize or server/discover, where one of them was sent.
    """

    def __init__(
        self,
        failure: ConnectFailure,
        message: str,
        evidence: dict[str, Json],
        handshake: Handshake | None = None,
    ) -> None:
        """Take the kind of failure, one sentence about the server, and the facts that show it."""
        super().__init__(message)
        self.failure = failure
        self.message = message
        self.evidence = evidence
        self.handshake = handshake


def failure_of(reply: Reply, gone: Exit | None) -> ConnectFailure:
    """Tell the kind of failure from how the opening request ended."""
    match reply.kind:
        case ReplyKind.CLOSED | ReplyKind.UNSENT:
            return ConnectFailure.CLOSED if gone is None else ConnectFailure.EXITED
        case ReplyKind.TIMEOUT:
            return ConnectFailure.TIMEOUT
        case ReplyKind.ERROR:
            return ConnectFailure.REFUSED
        case ReplyKind.MALFORMED if gone is not None:
            return ConnectFailure.EXITED
        case _:
            return ConnectFailure.UNUSABLE
