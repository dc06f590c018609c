"""What was seen on one connection, from start to exit."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.model.bounds import cut_bytes, cut_text, cut_value
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.faults import NOT_A_MESSAGE, Fault
from mcp_check_core.wire.http_exchange import HttpExchange
from mcp_check_core.wire.message import Message, MessageKind

EXCERPT_BYTES = 2_000
_NAME = 200
"""Characters of a method that are kept."""


class Phase(StrEnum):
    """When a line came.

    `startup` lasts until the answer to initialize; `operation` is while a request is in flight,
    `post-initialize` between requests, `shutdown` once stdin was closed.
    """

    STARTUP = "startup"
    POST_INITIALIZE = "post-initialize"
    OPERATION = "operation"
    ADVERSARIAL = "adversarial"
    SHUTDOWN = "shutdown"


class StreamEnd(StrEnum):
    """Why nothing more is read from a server."""

    EOF = "eof"
    LIMIT = "limit"


class Direction(StrEnum):
    """Who wrote a line."""

    SENT = "sent"
    RECEIVED = "received"


@dataclass(frozen=True, slots=True)
class Frame:
    """One line on the wire.

    `number` counts the lines of its direction from 1, `at_ms` runs from the start of the process. `excerpt`
    holds the first bytes, decoded. `during` names the request in flight when it came (`tools/call add`).
    `late`: the answer to a request that had been given up.
    """

    direction: Direction
    number: int
    phase: Phase
    at_ms: float
    size: int
    excerpt: str
    kind: MessageKind | None = None
    id: Json = None
    method: str | None = None
    faults: tuple[Fault, ...] = ()
    during: str | None = None
    late: bool = False

    @property
    def is_message(self) -> bool:
        """Whether a message could be read from the line, however faulty."""
        return self.kind is not None and not any(fault.code in NOT_A_MESSAGE for fault in self.faults)


class Transcript:
    """Collects the frames of one connection; keeps the first ones and every faulty one up to a bound.

    Over HTTP `exchanges` holds the requests that carried them: the first ones, up to the same bound.
    """

    def __init__(self, kept: int, listen: Callable[[Frame, bytes], None] | None = None) -> None:
        """Keep `kept` frames and as many faulty ones; `listen` gets each frame with all its bytes."""
        self._kept = kept
        self._started = time.monotonic()
        self._listen = listen
        self._frames: list[tuple[int, Frame]] = []
        self._faulty: list[tuple[int, Frame]] = []
        self.received = 0
        self.sent = 0
        self.invalid = 0
        self.methods: Counter[str] = Counter()
        self.exchanges: list[HttpExchange] = []

    def record(
        self,
        direction: Direction,
        data: bytes,
        size: int,
        phase: Phase,
        message: Message | None = None,
        faults: tuple[Fault, ...] = (),
        during: str | None = None,
        late: bool = False,
    ) -> None:
        """Take one more line, without its newline; `data` may be the head of the `size` bytes that came."""
        number = self._count(direction, message, faults)
        target = self._faulty if faults else self._frames
        if len(target) >= self._kept and self._listen is None:
            return
        frame = Frame(
            direction=direction,
            number=number,
            phase=phase,
            at_ms=self.now_ms,
            size=size,
            excerpt=cut_bytes(data, EXCERPT_BYTES),
            kind=message.kind if message else None,
            id=cut_value(message.id, text=_NAME) if message else None,
            method=cut_text(message.method, _NAME) if message and message.method is not None else None,
            faults=faults,
            during=during,
            late=late,
        )
        if len(target) < self._kept:
            target.append((self.received + self.sent, frame))
        if self._listen is not None:
            self._listen(frame, data)

    def record_exchange(self, exchange: HttpExchange) -> None:
        """Take one more HTTP request with what came back."""
        if len(self.exchanges) < self._kept:
            self.exchanges.append(exchange)

    @property
    def now_ms(self) -> float:
        """Milliseconds since the server was started."""
        return (time.monotonic() - self._started) * 1000

    def _count(self, direction: Direction, message: Message | None, faults: tuple[Fault, ...]) -> int:
        if direction is Direction.SENT:
            self.sent += 1
            return self.sent
        self.received += 1
        self.invalid += bool(faults)
        if message is not None and message.method is not None:
            method = cut_text(message.method, _NAME)
            if method in self.methods or len(self.methods) < self._kept:
                self.methods[method] += 1
        return self.received

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frames that were kept, in the order in which they came."""
        kept = sorted((*self._frames, *self._faulty), key=lambda item: item[0])
        return tuple(frame for _, frame in kept)

    @property
    def faulty(self) -> tuple[Frame, ...]:
        """The kept frames with a fault, in order."""
        return tuple(frame for _, frame in self._faulty)
