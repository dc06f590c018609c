"""Cut a byte stream into lines, in linear time and bounded memory."""

from collections.abc import Iterator
from dataclasses import dataclass

HEAD_BYTES = 64 * 1024
"""What is kept of a line that is over the limit."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of output without its newline.

    `number` counts from 1, `size` is the length that was seen in bytes. Of a line over the limit (`oversize`)
    `data` holds the head alone. `ended` is false for the last bytes of a stream that ends without a newline.
    """

    number: int
    data: bytes
    size: int
    ended: bool = True
    oversize: bool = False


class LineSplitter:
    """Collects chunks and yields each line once its newline has come."""

    def __init__(self, limit: int) -> None:
        """Take `limit`, the greatest length of a line in bytes that is kept whole."""
        self._limit = limit
        self._parts: list[bytes] = []
        self._kept = 0
        self._size = 0
        self._number = 0

    def feed(self, chunk: bytes) -> Iterator[Line]:
        """Take the next chunk and yield the lines that it completes."""
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            self._keep(chunk[start:end])
            yield self._finish(ended=True)
            start = end + 1
        self._keep(chunk[start:])

    def rest(self) -> Line | None:
        """Give what came after the last newline, once the stream has ended."""
        return self._finish(ended=False) if self._size else None

    @property
    def pending(self) -> int:
        """Bytes seen since the last newline."""
        return self._size

    def _keep(self, part: bytes) -> None:
        if not part:
            return
        self._size += len(part)
        room = self._limit - self._kept
        if room > 0:
            self._parts.append(part[:room])
            self._kept += min(room, len(part))

    def _finish(self, *, ended: bool) -> Line:
        data, size = b"".join(self._parts), self._size
        self._parts, self._kept, self._size = [], 0, 0
        self._number += 1
        oversize = size > self._limit
        return Line(self._number, data[:HEAD_BYTES] if oversize else data, size, ended, oversize)
