"""What was seen of HTTP itself: one record for each request that went out."""

import time
from dataclasses import dataclass, field
from enum import StrEnum

from mcp_check_core.model.bounds import cut_text


class HttpFaultCode(StrEnum):
    """What can be wrong with a response besides the message that it carries."""

    CONTENT_TYPE = "content-type"
    CONTENT_ENCODING = "content-encoding"
    STATUS = "status"
    REDIRECT = "redirect-not-followed"
    NOTIFICATION_STATUS = "notification-not-accepted"
    NOTIFICATION_BODY = "notification-answered"
    SESSION_ID = "session-id"
    NO_ANSWER = "no-answer"
    EVENT_NAME = "event-name"
    EVENT_SIZE = "event-too-large"
    TOO_LARGE = "too-large"
    CUT = "cut-off"


@dataclass(frozen=True, slots=True)
class HttpFault:
    """A fault of one response, with a detail that says what was seen (bounded, not sanitised)."""

    code: HttpFaultCode
    detail: str = ""


@dataclass(frozen=True, slots=True)
class HttpExchange:
    """One HTTP request and what came back.

    `about` names the message that was sent (`tools/call add`); `status` is None where nothing came, and
    `problem` says why. `size` counts the bytes of the body, `session` says whether it named a session.
    """

    number: int
    verb: str
    about: str
    at_ms: float
    duration_ms: float
    status: int | None = None
    content_type: str | None = None
    size: int = 0
    events: int = 0
    redirects: int = 0
    session: bool = False
    faults: tuple[HttpFault, ...] = ()
    problem: str | None = None


@dataclass(slots=True, eq=False)
class OpenExchange:
    """An exchange that goes on. Each kind of fault is noted once."""

    number: int
    verb: str
    about: str
    at_ms: float
    started: float = field(default_factory=time.monotonic)
    status: int | None = None
    content_type: str | None = None
    size: int = 0
    events: int = 0
    redirects: int = 0
    session: bool = False
    problem: str | None = None
    _faults: dict[HttpFaultCode, str] = field(default_factory=dict)

    def fault(self, code: HttpFaultCode, detail: str) -> None:
        """Note a fault."""
        self._faults.setdefault(code, cut_text(detail, 200))

    def finish(self) -> HttpExchange:
        """Freeze what is known."""
        return HttpExchange(
            number=self.number,
            verb=self.verb,
            about=self.about,
            at_ms=self.at_ms,
            duration_ms=(time.monotonic() - self.started) * 1000,
            status=self.status,
            content_type=self.content_type,
            size=self.size,
            events=self.events,
            redirects=self.redirects,
            session=self.session,
            faults=tuple(HttpFault(code, detail) for code, detail in self._faults.items()),
            problem=self.problem,
        )
