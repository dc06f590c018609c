"""How a session is opened, in which era, whatever carries it."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import LimitHit
from mcp_check_core.process.launch import Graces
from mcp_check_core.wire.handshake import Handshake, initialize
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.modern import discover
from mcp_check_core.wire.not_connected import ConnectFailure, NotConnectedError
from mcp_check_core.wire.peer import Peer
from mcp_check_core.wire.session import Session
from mcp_check_core.wire.versions import AUTO, LATEST_HANDSHAKE, LATEST_MODERN, MODERN_VERSIONS, Era, era_of


class SessionOpener(ABC):
    """Opens sessions with one target as often as a check needs, and gathers the limits that were hit.

    `starts` counts the servers that were started, over HTTP the conversations that were begun.
    """

    client: dict[str, Json]
    limits: WireLimits
    graces: Graces
    starts: int
    limits_hit: list[LimitHit]

    @property
    @abstractmethod
    def protocol(self) -> str:
        """The version that the target is to be spoken to in, or `AUTO`."""

    @abstractmethod
    def peer(self) -> AbstractAsyncContextManager[Peer]:
        """Begin a conversation, in no era yet. Entering raises NotConnectedError."""

    @abstractmethod
    async def why_not(self, peer: Peer, handshake: Handshake) -> NotConnectedError:
        """Say why an opening request did not lead to a session."""

    @abstractmethod
    def may_be_modern(self, problem: NotConnectedError) -> bool:
        """Whether a handshake failed in a way that leaves the modern era to be tried."""

    @asynccontextmanager
    async def session(self, version: str | None = None) -> AsyncIterator[Session]:
        """Open a session in `version` (default: that of the target). Raises NotConnectedError.

        `AUTO` sends initialize and, where that is refused or unanswered, server/discover to a fresh server.
        On leaving, the server is shut down in order (stdin closed, then terminated, then killed).
        """
        async with AsyncExitStack() as stack:
            session = await self._open(stack, version or self.protocol)
            yield session
            await session.connection.close(self.graces)

    async def _open(self, stack: AsyncExitStack, version: str) -> Session:
        if version != AUTO:
            return await self.attempt(stack, version, exact=True)
        try:
            return await self.attempt(stack, LATEST_HANDSHAKE)
        except NotConnectedError as problem:
            if not self.may_be_modern(problem):
                raise
            first = problem
        try:
            return await self.attempt(stack, LATEST_MODERN)
        except NotConnectedError as second:
            evidence: dict[str, Json] = {**first.evidence, "discover": second.message}
            raise NotConnectedError(first.failure, first.message, evidence, first.handshake) from None

    async def attempt(self, stack: AsyncExitStack, version: str, *, exact: bool = False) -> Session:
        """Open a session in one version on `stack`. Raises NotConnectedError, with nothing left running."""
        async with AsyncExitStack() as mine:
            peer = await mine.enter_async_context(self.peer())
            if era_of(version) is Era.MODERN:
                handshake = await discover(peer, self.client, version=version)
            else:
                handshake = await initialize(peer, self.client, version=version, exact=exact)
            if not handshake.ok:
                raise await self.why_not(peer, handshake)
            stack.push_async_exit(mine.pop_all())
            return Session(peer, handshake)


def silent_or_refused(problem: NotConnectedError) -> bool:
    """Whether initialize was refused or unanswered, or the server ended on it, on its own account."""
    if problem.handshake is None or "limit" in problem.evidence:
        return False
    if problem.handshake.version in MODERN_VERSIONS:
        return True
    return problem.failure in (
        ConnectFailure.REFUSED,
        ConnectFailure.TIMEOUT,
        ConnectFailure.CLOSED,
        ConnectFailure.EXITED,
    )
