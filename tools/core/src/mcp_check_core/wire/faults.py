"""What can be wrong with a line on the wire, by name."""

from dataclasses import dataclass
from enum import StrEnum


class FaultCode(StrEnum):
    """One kind of fault; the groups concern framing, JSON, JSON-RPC, and the modern era alone."""

    EMPTY_LINE = "empty-line"
    CONTENT_LENGTH = "content-length"
    NO_NEWLINE = "no-newline"
    TOO_LARGE = "too-large"
    INVALID_UTF8 = "invalid-utf8"
    BYTE_ORDER_MARK = "byte-order-mark"

    NOT_JSON = "not-json"
    TOO_DEEP = "too-deep"
    DUPLICATE_KEY = "duplicate-key"
    NOT_A_NUMBER = "not-a-number"
    NUMBER_TOO_LARGE = "number-too-large"
    LONE_SURROGATE = "lone-surrogate"

    BATCH = "batch"
    NOT_AN_OBJECT = "not-an-object"
    VERSION = "jsonrpc-version"
    ID_INVALID = "id-invalid"
    ID_UNKNOWN = "id-unknown"
    ID_TYPE = "id-type"
    ID_ANSWERED = "id-already-answered"
    NO_KIND = "neither-request-nor-response"
    RESULT_AND_ERROR = "result-and-error"
    RESULT_TYPE = "result-not-an-object"
    ERROR_SHAPE = "error-malformed"
    METHOD_TYPE = "method-not-a-string"
    PARAMS_TYPE = "params-not-an-object"

    RESULT_KIND = "result-type-unknown"
    SERVER_REQUEST = "request-of-a-server"


NOT_A_MESSAGE = frozenset(
    {
        FaultCode.EMPTY_LINE,
        FaultCode.CONTENT_LENGTH,
        FaultCode.TOO_LARGE,
        FaultCode.NOT_JSON,
        FaultCode.TOO_DEEP,
        FaultCode.BATCH,
        FaultCode.NOT_AN_OBJECT,
        FaultCode.NO_KIND,
    }
)
"""Faults that leave nothing of a line that could be taken for a message."""

UNUSABLE_ANSWER = (
    frozenset(
        {
            FaultCode.RESULT_AND_ERROR,
            FaultCode.RESULT_TYPE,
            FaultCode.ERROR_SHAPE,
            FaultCode.RESULT_KIND,
        }
    )
    | NOT_A_MESSAGE
)
"""Faults after which an answer can be taken neither for a result nor for an error."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of one line, with a detail that says what was seen (bounded, not sanitised)."""

    code: FaultCode
    detail: str = ""
