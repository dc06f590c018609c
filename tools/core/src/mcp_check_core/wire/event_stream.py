"""Events of a `text/event-stream`, cut out of chunks in linear time and bounded memory (WHATWG HTML)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

HEAD_BYTES = 64 * 1024
"""What is kept of an event that is over the limit."""
_LINE_END = re.compile(rb"\r\n|\n|\r")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LONGEST_RETRY_MS = 10_000
_NAME_BYTES = 1_000
"""What is kept of the name and the id of an event."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its data, the length of that in bytes, and its name (`message` where it has none).

    Of an event over the limit (`oversize`) `data` holds the head alone.
    """

    data: bytes
    size: int
    name: str = "message"
    oversize: bool = False


class EventSplitter:
    """Collects chunks and yields each event once the empty line after it has come.

    `last_id` is the id that the stream named last, `retry_ms` how long to wait before asking for the rest.
    """

    def __init__(self, limit: int) -> None:
        """Take `limit`, the greatest length in bytes of the data of an event that is kept whole."""
        self.last_id: str | None = None
        self.retry_ms = 0
        self._limit = limit
        self._line = bytearray()
        self._line_size = 0
        self._after_return = False
        self._first = True
        self._data: list[bytes] = []
        self._size = 0
        self._kept = 0
        self._name = ""

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """Take the next chunk and yield the events that it completes."""
        if self._after_return and chunk[:1] == b"\n":
            chunk = chunk[1:]
            self._after_return = False
        start = 0
        for end in _LINE_END.finditer(chunk):
            self._keep(chunk[start : end.start()])
            start = end.end()
            if (event := self._end_line()) is not None:
                yield event
        self._keep(chunk[start:])
        if chunk:
            self._after_return = chunk[-1:] == b"\r"

    def _keep(self, part: bytes) -> None:
        self._line_size += len(part)
        room = self._limit + _NAME_BYTES - len(self._line)
        if room > 0:
            self._line += part[:room]

    def _end_line(self) -> Event | None:
        line, size = bytes(self._line), self._line_size
        self._line.clear()
        self._line_size = 0
        if self._first:
            self._first = False
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if not line:
            return self._end_event()
        field, _, value = line.partition(b":")
        beyond = size - len(line)
        self._take_field(field, value.removeprefix(b" "), beyond)
        return None

    def _take_field(self, field: bytes, value: bytes, beyond: int) -> None:
        match field:
            case b"data":
                self._add(value, beyond)
            case b"event":
                self._name = value[:_NAME_BYTES].decode("utf-8", "replace")
            case b"id" if b"\0" not in value:
                self.last_id = value[:_NAME_BYTES].decode("utf-8", "replace")
            case b"retry" if value.isdigit() and len(value) < 10:
                self.retry_ms = min(int(value), _LONGEST_RETRY_MS)
            case _:
                return  # a comment (keep-alive) or a field that nobody defined

    def _add(self, value: bytes, beyond: int) -> None:
        """Join one more line of data to the event, as far as the limit goes."""
        self._size += len(value) + beyond + bool(self._data)
        room = self._limit - self._kept
        if room > 0 or not self._data:
            self._data.append(value[: max(0, room)])
            self._kept += min(len(value), room) + 1

    def _end_event(self) -> Event | None:
        if not self._data:
            self._name = ""
            return None
        data, size, name = b"\n".join(self._data), self._size, self._name or "message"
        self._data, self._size, self._kept, self._name = [], 0, 0, ""
        oversize = size > self._limit
        return Event(data[:HEAD_BYTES] if oversize else data, size, name, oversize)
