"""What became of one request: a value, never an exception."""

from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.faults import Fault
from mcp_check_core.wire.message import RequestId, RpcError


class ReplyKind(StrEnum):
    """How a request ended.

    `malformed`: a line came that is the answer, or must be, and cannot be read as one. `too_large`: likewise,
    over the limit of a line or of all output. `closed`: the server closed its output or died. `unsent`: the
    request did not go out, since nothing more was read from the server or it read nothing more from us.
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
    of that line in bytes; `duration_ms` runs from the moment before writing.
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

    @property
    def answered(self) -> bool:
        """Whether the server gave a result or a well-formed error."""
        return self.kind in (ReplyKind.RESULT, ReplyKind.ERROR)

    @property
    def fields(self) -> dict[str, Json]:
        """The result's members; empty where there is no result."""
        return self.result if isinstance(self.result, dict) else {}
