"""The one server that is talked to at a time, replaced by a fresh one when it has to be."""

from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from mcp_check_core.process.launch import Graces, Shutdown
from mcp_check_core.wire.opener import SessionOpener
from mcp_check_core.wire.session import Session
from mcp_check_core.wire.transcript import StreamEnd

HUNG = Graces(stdin=0.5, term=0.5, settle=0.0)
"""The graces of a server that did not answer a call: how it ends in order is not what is looked at."""


class Servers:
    """Opens and closes sessions with one target, never two at once.

    `session` is the open one. Leaving the context ends it, however that happens.
    """

    def __init__(self, opener: SessionOpener) -> None:
        """Take what opens sessions; nothing is started yet."""
        self.opener = opener
        self.session: Session | None = None
        self._before = 0
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.session = None
        await self._stack.__aexit__(kind, problem, trace)

    async def open(self) -> Session:
        """Close what is open and begin a fresh session. Raises NotConnectedError."""
        await self.close()
        self.session = await self._stack.enter_async_context(self.opener.session())
        self._before = self.session.connection.stdout_bytes
        return self.session

    async def close(self, graces: Graces | None = None) -> Shutdown | None:
        """End the open session, if there is one, and say how that went."""
        session, self.session = self.session, None
        if session is None:
            return None
        shutdown = await session.connection.close(graces or self.opener.graces)
        await self._stack.aclose()
        return shutdown

    @property
    def gone(self) -> bool:
        """Whether the open server has ended or closed its output, for a reason of its own."""
        if self.session is None:
            return False
        connection = self.session.connection
        ended = connection.ended is StreamEnd.EOF or connection.process.exit is not None
        return ended and connection.process.breach is None

    @property
    def spent(self) -> bool:
        """Whether the open server can take no further call within our limits on its output."""
        if self.session is None:
            return False
        connection = self.session.connection
        written = connection.stdout_bytes - self._before
        return connection.ended is not None or written * 2 > connection.limits.stdout_bytes
