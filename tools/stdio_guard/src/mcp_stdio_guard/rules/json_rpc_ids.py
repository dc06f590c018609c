"""Responses that do not fit a request of ours, by their ids."""

from collections.abc import Iterator

from mcp_check_core.model.defects import MALFORMED_ANSWER
from mcp_check_core.model.finding import Severity
from mcp_check_core.wire.faults import FaultCode
from mcp_check_core.wire.message import MessageKind
from mcp_check_core.wire.reply import ReplyKind
from mcp_check_core.wire.transcript import Frame
from mcp_stdio_guard.facts.run import RunFacts
from mcp_stdio_guard.rules.declare import (
    NO_PROCESS,
    Block,
    CheckName,
    IssueClass,
    Judgement,
    declare,
    not_applicable,
)
from mcp_stdio_guard.rules.stray import Stray, grouped

_RESPONSES = "MCP specification, basic protocol: responses"

ID_MISMATCH = declare(
    "response-id-mismatch",
    "A response carries another id than its request",
    Severity.ERROR,
    IssueClass.MCP_PROTOCOL,
    CheckName.JSON_RPC,
    defect=MALFORMED_ANSWER,
    references=(_RESPONSES,),
)
ID_TYPE = declare(
    "response-id-type-mismatch",
    "A response carries the id of its request in another JSON type",
    Severity.ERROR,
    IssueClass.MCP_PROTOCOL,
    CheckName.JSON_RPC,
    defect=MALFORMED_ANSWER,
    references=(_RESPONSES,),
)
UNEXPECTED_ID = declare(
    "stdout-unexpected-request-id",
    "A response to no request of ours",
    Severity.ERROR,
    IssueClass.MCP_PROTOCOL,
    CheckName.JSON_RPC,
    kinds=("answered-twice",),
    references=(_RESPONSES,),
)
NOTIFICATION_RESPONSE = declare(
    "notification-response",
    "A notification is answered",
    Severity.ERROR,
    IssueClass.MCP_PROTOCOL,
    CheckName.JSON_RPC,
    references=("MCP specification, basic protocol: notifications",),
)
_DECLARED = (ID_MISMATCH, ID_TYPE, UNEXPECTED_ID, NOTIFICATION_RESPONSE)
_ECHO = "Send the id of the request back as it came, in value and type."

_MISMATCH = Stray(
    ID_MISMATCH,
    "answers a request under another id than it was sent with",
    "answer requests under other ids than they were sent with",
    _ECHO,
)
_TYPE = Stray(
    ID_TYPE,
    "carries the id of the request in another JSON type",
    "carry the ids of requests in another JSON type",
    _ECHO,
)
_UNEXPECTED = Stray(
    UNEXPECTED_ID,
    "is a response, and no request had that id",
    "are responses, and no request had those ids",
    "Answer each request once and send no response without one.",
)
_TWICE = Stray(
    UNEXPECTED_ID,
    "answers a request that had been answered",
    "answer requests that had been answered",
    "Answer each request once.",
    kind="answered-twice",
)
_NOTIFICATION = Stray(
    NOTIFICATION_RESPONSE,
    "answers a notification",
    "answer notifications",
    "Send nothing back where a message has no id, not even an error.",
)


def judge(run: RunFacts) -> Iterator[Judgement]:
    """Judge each response on the wire against the requests that we sent."""
    if not run.process.started:
        yield from not_applicable(_DECLARED, NO_PROCESS)
        return
    unanswered = {reply.method for reply in run.replies if _lost(reply.kind)}
    yield from grouped(_strays(run, unanswered))


def _lost(kind: ReplyKind) -> bool:
    return kind in (ReplyKind.MALFORMED, ReplyKind.TIMEOUT, ReplyKind.CLOSED)


def _strays(run: RunFacts, unanswered: set[str]) -> Iterator[tuple[Stray, Frame]]:
    for frame in run.wire.frames:
        if frame.kind is not MessageKind.RESPONSE:
            continue
        codes = {fault.code for fault in frame.faults}
        waiting = frame.during is not None and frame.during.split()[0] in unanswered
        if FaultCode.ID_TYPE in codes:
            yield _TYPE, frame
        elif FaultCode.ID_ANSWERED in codes:
            yield _TWICE, frame
        elif FaultCode.ID_UNKNOWN in codes:
            yield _stranger(frame, waiting=waiting), frame
        elif frame.id is None and run.initialized:
            yield (_MISMATCH if waiting else _NOTIFICATION), frame


def _stranger(frame: Frame, *, waiting: bool) -> Stray:
    """Choose what a response with an unknown id is; an error that names a notification answers that."""
    if "notifications/" in frame.excerpt:
        return _NOTIFICATION
    return _MISMATCH if waiting else _UNEXPECTED


BLOCK = Block(_DECLARED, judge)
