"""What became of one request: a value, never an exception."""

from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.faults import Fault
from mcp_check_core.wire.message import RequestId, RpcError
from mcp_check_core.wire.result_type import INPUT_REQUIRED

_ASKED = 20
"""Requests for input in one result that are looked at."""


class ReplyKind(StrEnum):
    """How a request ended.

    `malformed`: a line came that is the answer, or must be, and cannot be read as one; where it is an error
    that names no request, `error` is set. `too_large`: likewise, over the limit of a line or of all output.
    `closed`: the server closed its output or died. `unsent`: the request did not go out, since nothing more
    was read from the server or it read nothing more from us.
    """

    RESULT = "result"
    ERROR = "error"
    TIMEOUT = "timeout"
    CLOSED = "closed"
    UNSENT = "unsent"
    MALFORMED = "malformed"
    TOO_LARGE = "too_large"


@dataclass(frozen=True, slots=True)
class Reply:
    """The end of one request.

    `faults` are those of the answering line, also where it could be used all the same. `size` is the length
    of that line in bytes; `duration_ms` runs from the moment before writing. `asked` names what the server
    asked us for in place of a result, over all rounds of a call. Over HTTP `status` is that of the response,
    and `problem` says in words what the kind alone does not.
    """

    kind: ReplyKind
    id: RequestId
    method: str
    duration_ms: float
    result: Json = None
    error: RpcError | None = None
    faults: tuple[Fault, ...] = ()
    size: int = 0
    excerpt: str = ""
    asked: tuple[str, ...] = ()
    status: int | None = None
    problem: str | None = None

    @property
    def answered(self) -> bool:
        """Whether the server gave a result or a well-formed error."""
        return self.kind in (ReplyKind.RESULT, ReplyKind.ERROR)

    @property
    def login_needed(self) -> bool:
        """Whether we were not let in; that says nothing of the server (HTTP status 401, 403 or 407)."""
        return self.status in (401, 403, 407)

    @property
    def fields(self) -> dict[str, Json]:
        """The result's members; empty where there is no result."""
        return self.result if isinstance(self.result, dict) else {}

    @property
    def needs_input(self) -> tuple[str, ...] | None:
        """What the server asks for in place of a result, by method; None where it does not ask.

        It is empty where the server gave a state to come back with, and `?` stands for what cannot be read.
        """
        if self.kind is not ReplyKind.RESULT or self.fields.get("resultType") != INPUT_REQUIRED:
            return None
        requests = self.fields.get("inputRequests")
        if requests is None:
            return ()
        if not isinstance(requests, dict) or len(requests) > _ASKED:
            return ("?",)
        return tuple(_method(request) for request in requests.values())


def _method(request: Json) -> str:
    method = request.get("method") if isinstance(request, dict) else None
    return cut_text(method, 80) if isinstance(method, str) else "?"
