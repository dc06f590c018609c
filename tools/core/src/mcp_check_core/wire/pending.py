"""Requests that wait for their answers, and how an answering line finds its request."""

import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

import anyio

from mcp_check_core.model.bounds import cut_bytes, cut_text
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.faults import UNUSABLE_ANSWER, Fault, FaultCode
from mcp_check_core.wire.lines import Line
from mcp_check_core.wire.message import Message, RequestId
from mcp_check_core.wire.reply import Reply, ReplyKind

_REMEMBERED = 1_000
"""Ended requests whose ids are remembered, to know a late or second answer for what it is."""


@dataclass(slots=True, eq=False)
class Pending:
    """One request in flight."""

    id: RequestId
    method: str
    label: str
    started: float
    reply: Reply | None = None
    answered: bool = False
    grace_until: float = float("inf")
    suspect: Reply | None = None
    changed: anyio.Event = field(default_factory=anyio.Event)

    def end(self, reply: Reply) -> None:
        """Give the request its reply; the first one counts."""
        if self.reply is None:
            self.reply = reply
            self.changed.set()

    def doubt(self, reply: Reply, until: float) -> None:
        """Note what a line that may be the answer is taken for, unless a better one comes by `until`."""
        if self.suspect is None:
            self.suspect, self.grace_until = reply, until
            self.changed.set()

    async def ended_by(self, deadline: float) -> Reply:
        """Wait for the reply, until `deadline` (monotonic seconds) or the end of the grace."""
        while self.reply is None:
            limit = min(deadline, self.grace_until)
            with anyio.move_on_after(max(0.0, limit - time.monotonic())) as scope:
                await self.changed.wait()
            if scope.cancelled_caught:
                self.end(self.suspect or self.make(ReplyKind.TIMEOUT))
            elif self.suspect is not None:
                self.changed = anyio.Event()
        return self.reply

    def make(
        self,
        kind: ReplyKind,
        message: Message | None = None,
        line: Line | None = None,
        faults: tuple[Fault, ...] = (),
    ) -> Reply:
        """Build a reply to this request that ends now."""
        return Reply(
            kind=kind,
            id=self.id,
            method=self.method,
            duration_ms=(time.monotonic() - self.started) * 1000,
            result=message.result if message else None,
            error=message.error if message else None,
            faults=faults,
            size=line.size if line else 0,
            excerpt=cut_bytes(line.data) if line else "",
        )


def label(method: str, params: Mapping[str, Json] | None) -> str:
    """Name a request for a reader: its method, and the tool or prompt that it is about."""
    name = params.get("name") if params else None
    return f"{method} {cut_text(name, 80)}" if isinstance(name, str) else method


class PendingRequests:
    """The requests in flight on one connection, by id and type of id."""

    def __init__(self, grace_s: float) -> None:
        """Take the seconds that a real answer may still take after a broken line."""
        self._grace_s = grace_s
        self._waiting: dict[tuple[str, RequestId], Pending] = {}
        self._ended: OrderedDict[str, tuple[RequestId, bool]] = OrderedDict()

    @property
    def labels(self) -> str | None:
        """What is in flight, for a reader: the label of the request, or of the first and how many more."""
        if not self._waiting:
            return None
        first = next(iter(self._waiting.values())).label
        return first if len(self._waiting) == 1 else f"{first} and {len(self._waiting) - 1} more"

    def add(self, pending: Pending) -> None:
        """Start waiting."""
        self._waiting[_key(pending.id)] = pending

    def remove(self, pending: Pending) -> None:
        """Stop waiting, and remember whether an answer had come."""
        if self._waiting.get(_key(pending.id)) is pending:
            del self._waiting[_key(pending.id)]
            self._ended[str(pending.id)] = (pending.id, pending.answered)
            if len(self._ended) > _REMEMBERED:
                self._ended.popitem(last=False)

    def match(self, message: Message) -> tuple[Pending | None, Fault | None, bool]:
        """Find what a response answers: the request, a fault of the id, and whether it came late."""
        identity = message.id
        if isinstance(identity, bool) or not isinstance(identity, int | str):
            return None, None, False
        if (pending := self._waiting.get(_key(identity))) is not None:
            return pending, None, False
        text = str(identity)
        pending = next((pending for pending in self._waiting.values() if str(pending.id) == text), None)
        if pending is not None:
            return pending, _type_fault(identity, pending.id), False
        if (ended := self._ended.get(text)) is None:
            return None, Fault(FaultCode.ID_UNKNOWN, f"id {_shown(identity)}"), False
        known, answered = ended
        if answered:
            return None, Fault(FaultCode.ID_ANSWERED, f"id {_shown(identity)}"), False
        return None, _type_fault(identity, known), True

    def answer(self, pending: Pending, message: Message, line: Line, faults: tuple[Fault, ...]) -> None:
        """End a request with the response that came for it; it is no longer in flight then."""
        if any(fault.code in UNUSABLE_ANSWER for fault in faults):
            kind = ReplyKind.MALFORMED
        else:
            kind = ReplyKind.RESULT if message.error is None else ReplyKind.ERROR
        pending.answered = True
        pending.end(pending.make(kind, message, line, faults))
        self.remove(pending)

    def doubt_all(
        self,
        line: Line,
        faults: tuple[Fault, ...],
        only: Pending | None = None,
        message: Message | None = None,
    ) -> None:
        """Take a line for somebody's broken answer: all in flight have the grace to get a better one.

        Where it is known whose answer it would be, it is `only` that one. `message` is what could be read.
        """
        too_large = any(fault.code is FaultCode.TOO_LARGE for fault in faults)
        kind = ReplyKind.TOO_LARGE if too_large else ReplyKind.MALFORMED
        until = time.monotonic() + self._grace_s
        for pending in self._waiting.values() if only is None else (only,):
            pending.doubt(pending.make(kind, message, line, faults), until)

    def end_all(self, kind: ReplyKind) -> None:
        """The stream ended: nobody in flight will get an answer."""
        for pending in self._waiting.values():
            pending.end(pending.suspect or pending.make(kind))


def _key(identity: RequestId) -> tuple[str, RequestId]:
    return (type(identity).__name__, identity)


def _type_fault(identity: RequestId, sent: RequestId) -> Fault | None:
    if type(identity) is type(sent):
        return None
    return Fault(FaultCode.ID_TYPE, f"id {_shown(identity)} for {_shown(sent)}")


def _shown(identity: RequestId) -> str:
    return repr(cut_text(identity, 60) if isinstance(identity, str) else identity)[:100]
