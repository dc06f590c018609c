"""What was seen on one connection, from start to exit."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.model.bounds import cut_bytes
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.faults import NOT_A_MESSAGE, Fault
from mcp_check_core.wire.message import Message, MessageKind

EXCERPT_BYTES = 2_000


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


def make_frame(
    direction: Direction,
    number: int,
    data: bytes,
    *,
    phase: Phase,
    at_ms: float,
    size: int,
    message: Message | None,
    faults: tuple[Fault, ...] = (),
    during: str | None = None,
    late: bool = False,
) -> Frame:
    """Build a frame; the message gives its kind, id and method."""
    return Frame(
        direction=direction,
        number=number,
        phase=phase,
        at_ms=at_ms,
        size=size,
        excerpt=cut_bytes(data, EXCERPT_BYTES),
        kind=message.kind if message else None,
        id=message.id if message else None,
        method=message.method if message else None,
        faults=faults,
        during=during,
        late=late,
    )


class Transcript:
    """Collects the frames of one connection; keeps the first ones and every faulty one up to a bound."""

    def __init__(self, kept: int, listen: Callable[[Frame, bytes], None] | None = None) -> None:
        """Keep `kept` frames and as many faulty ones; `listen` gets each frame with all its bytes."""
        self._kept = kept
        self._listen = listen
        self._frames: list[Frame] = []
        self._faulty: list[Frame] = []
        self.received = 0
        self.sent = 0
        self.invalid = 0
        self.methods: Counter[str] = Counter()

    def add(self, frame: Frame, data: bytes) -> None:
        """Take one more frame."""
        if frame.direction is Direction.SENT:
            self.sent += 1
        else:
            self.received += 1
            self.invalid += bool(frame.faults)
            if (
                frame.kind is not MessageKind.RESPONSE
                and frame.method is not None
                and len(self.methods) < self._kept
            ):
                self.methods[frame.method] += 1
        target = self._faulty if frame.faults else self._frames
        if len(target) < self._kept:
            target.append(frame)
        if self._listen is not None:
            self._listen(frame, data)

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frames that were kept, in the order in which they came."""
        return tuple(sorted((*self._frames, *self._faulty), key=lambda frame: frame.at_ms))

    @property
    def faulty(self) -> tuple[Frame, ...]:
        """The kept frames with a fault, in order."""
        return tuple(self._faulty)
