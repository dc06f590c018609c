"""Drain a server's stderr: keep the end, count the rest."""

from collections import deque

import anyio
from anyio.abc import ByteReceiveStream


class StderrTail:
    """The last bytes of stderr up to a bound, and how many there were in all."""

    def __init__(self, bound: int) -> None:
        """Keep `bound` bytes."""
        self._bound = bound
        self._parts: deque[bytes] = deque()
        self._kept = 0
        self.total = 0
        self.lines = 0

    async def drain(self, stream: ByteReceiveStream) -> None:
        """Read until the stream ends, so that the server never waits for us."""
        try:
            async for chunk in stream:
                self._take(chunk)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            return

    @property
    def truncated(self) -> bool:
        """Whether more came than is kept."""
        return self.total > self._kept

    def tail(self, size: int) -> str:
        """Decode the last `size` bytes; bad ones are replaced."""
        return b"".join(self._parts)[-size:].decode("utf-8", "replace")

    def _take(self, chunk: bytes) -> None:
        self.total += len(chunk)
        self.lines += chunk.count(b"\n")
        self._parts.append(chunk)
        self._kept += len(chunk)
        while self._kept > self._bound:
            excess = self._kept - self._bound
            first = self._parts[0]
            if len(first) <= excess:
                self._parts.popleft()
                self._kept -= len(first)
            else:
                self._parts[0] = first[excess:]
                self._kept -= excess
