"""What one start of the server showed, from its first byte to its end."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition, read_tools
from mcp_check_core.wire.reply import Reply
from mcp_check_core.wire.transcript import Frame, Phase

if TYPE_CHECKING:
    from mcp_check_core.process.launch import Breach, Exit, Shutdown
    from mcp_check_core.wire.handshake import Handshake

TOOLS_LIST = "tools/list"
TEMPLATES_LIST = "resources/templates/list"

CAPABILITY_LISTS = {
    "tools": (TOOLS_LIST,),
    "resources": ("resources/list", TEMPLATES_LIST),
    "prompts": ("prompts/list",),
}
"""The capabilities with list methods, and these methods in the order in which they are asked for."""


class ListOutcome(StrEnum):
    """Why no further page of a list was asked for."""

    COMPLETE = "complete"
    REPEATED_CURSOR = "repeated-cursor"
    PAGE_LIMIT = "page-limit"
    ITEM_LIMIT = "item-limit"
    BAD_SHAPE = "bad-shape"
    NO_RESULT = "no-result"


@dataclass(frozen=True, slots=True)
class ListFacts:
    """All pages of one list. `reply` is the last one; `problem` says what is wrong with its shape."""

    method: str
    items: tuple[Json, ...]
    pages: int
    outcome: ListOutcome
    reply: Reply
    problem: str | None = None

    @property
    def complete(self) -> bool:
        """Whether the server's whole list was read."""
        return self.outcome is ListOutcome.COMPLETE


@dataclass(frozen=True, slots=True)
class Operation:
    """A request that the user asked for, and its end."""

    method: str
    params: dict[str, Json] | None
    reply: Reply


@dataclass(frozen=True, slots=True)
class WireFacts:
    """What came over the pipes. `frames` are the received lines that were kept, in order.

    `over_limit`: stdout reached its limit, and nothing after that was read. `cut`: the last line was cut
    short by us, by that limit or by a kill. `initialized_ms` is when `initialized` was sent, in milliseconds
    from the start like the times of the frames; None where it never was.
    """

    frames: tuple[Frame, ...] = ()
    initialized_ms: float | None = None
    received: int = 0
    invalid: int = 0
    stdout_bytes: int = 0
    stdout_limit: int = 0
    line_limit: int = 0
    over_limit: bool = False
    cut: bool = False
    stderr_bytes: int = 0
    stderr_lines: int = 0
    stderr_limit: int = 0
    stderr_tail: str = ""


@dataclass(frozen=True, slots=True)
class ProcessFacts:
    """The life of the process. `alone`: it ended by itself, before its stdin was closed.

    `spawn_code` and `spawn_message` are set where it never started. `died_in` is the phase in which its end
    was seen.
    """

    pid: int | None = None
    spawn_code: str | None = None
    spawn_message: str | None = None
    exit: "Exit | None" = None
    alone: bool = False
    died_in: Phase | None = None
    shutdown: "Shutdown | None" = None
    breach: "Breach | None" = None
    stdin_grace_s: float = 2.0

    @property
    def started(self) -> bool:
        """Whether there was a process."""
        return self.spawn_code is None


@dataclass(frozen=True, slots=True)
class RunFacts:
    """One run: handshake, lists, operations, wire and process.

    `lists_asked`: whether list methods were to be asked for. `plain_python`: the command starts Python with
    buffered output. `startup_ms` runs from the start of the process to the answer to initialize.
    """

    number: int
    process: ProcessFacts
    wire: WireFacts = field(default_factory=WireFacts)
    handshake: "Handshake | None" = None
    startup_ms: float | None = None
    request_s: float = 0.0
    startup_s: float = 0.0
    lists_asked: bool = True
    lists: tuple[ListFacts, ...] = ()
    operations: tuple[Operation, ...] = ()
    plain_python: bool = False

    @property
    def initialized(self) -> bool:
        """Whether the handshake was made."""
        return self.handshake is not None and self.handshake.ok

    @property
    def protocol(self) -> str | None:
        """The version that was agreed on, None without a handshake."""
        return self.handshake.version if self.handshake is not None and self.handshake.ok else None

    @property
    def stopped_by_us(self) -> bool:
        """Whether a limit of ours ended the run, so that a missing answer is not the server's fault."""
        return self.wire.over_limit or self.process.breach is not None

    @property
    def capabilities(self) -> dict[str, Json]:
        """What the server advertised; empty without a usable answer."""
        return self.handshake.capabilities if self.handshake is not None else {}

    def listing(self, method: str) -> ListFacts | None:
        """Find a list that was asked for."""
        return next((found for found in self.lists if found.method == method), None)

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """The definitions of `tools/list`, as far as its pages could be read."""
        listing = self.listing(TOOLS_LIST)
        return read_tools(listing.items) if listing else ()

    @property
    def replies(self) -> Iterator[Reply]:
        """The end of each request; of a list, that of its last page."""
        if self.handshake is not None:
            yield self.handshake.reply
        yield from (listing.reply for listing in self.lists)
        yield from (operation.reply for operation in self.operations)
