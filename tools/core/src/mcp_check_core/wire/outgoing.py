"""What we write to a server: whole messages, one after the other, whoever waits for them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

import anyio
from anyio.abc import ByteSendStream, TaskGroup

from mcp_check_core.wire.message import Message


class Sent(StrEnum):
    """How far one message got. `part`: some of it or none, the server did not read on in time."""

    ALL = "all"
    PART = "part"
    REFUSED = "refused"


@dataclass(slots=True, eq=False)
class _Writing:
    """One message on its way out. `wanted` ends with the patience of whoever sends it."""

    data: bytes
    message: Message | None
    wanted: bool = True
    outcome: Sent = Sent.PART
    done: anyio.Event = field(default_factory=anyio.Event)


class Outgoing:
    """Writes in the background: what was begun is written on, so that no server ever sees half a message.

    What was not begun when its sender gave up is dropped. `record` gets each message as its writing begins.
    """

    def __init__(self, stream: ByteSendStream, record: Callable[[bytes, Message | None], None]) -> None:
        """Take the server's standard input."""
        self._stream = stream
        self._record = record
        self._lock = anyio.Lock()

    async def write(self, tasks: TaskGroup, data: bytes, message: Message | None, timeout: float) -> Sent:
        """Write a message in `tasks` and wait up to `timeout` seconds for its end."""
        writing = _Writing(data, message)
        tasks.start_soon(self._write_out, writing)
        try:
            with anyio.move_on_after(timeout):
                await writing.done.wait()
        finally:
            writing.wanted = False
        return writing.outcome

    async def _write_out(self, writing: _Writing) -> None:
        async with self._lock:
            if not writing.wanted:
                return
            self._record(writing.data, writing.message)
            try:
                await self._stream.send(writing.data)
                writing.outcome = Sent.ALL
            except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
                writing.outcome = Sent.REFUSED
            writing.done.set()
