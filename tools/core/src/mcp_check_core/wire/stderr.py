"""Drain a server's stderr: keep the end, count the rest."""

import anyio
from anyio.abc import ByteReceiveStream

from mcp_check_core.model.bounds import cut_tail


class StderrTail:
    """The last bytes of stderr up to a bound, and how many there were in all; `ended` is set at its end."""

    def __init__(self, bound: int) -> None:
        """Keep `bound` bytes."""
        self._bound = bound
        self._end = bytearray()
        self.total = 0
        self.lines = 0
        self.ended = anyio.Event()

    async def drain(self, stream: ByteReceiveStream) -> None:
        """Read until the stream ends, so that the server never waits for us."""
        try:
            async for chunk in stream:
                self._take(chunk)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            return
        finally:
            self.ended.set()

    @property
    def truncated(self) -> bool:
        """Whether more came than is kept."""
        return self.total > self._bound

    def tail(self, size: int) -> str:
        """Decode the last `size` bytes, bad ones replaced; a mark says so where there were more."""
        bound = min(size, self._bound)
        return cut_tail(bytes(self._end[-bound:]), bound, self.total)

    def _take(self, chunk: bytes) -> None:
        self.total += len(chunk)
        self.lines += chunk.count(b"\n")
        self._end += chunk
        if len(self._end) > 2 * self._bound:
            del self._end[: -self._bound]
