"""Whether a line that is no message must be meant as an answer all the same."""

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.decode import OVERSIZE, Decoded
from mcp_check_core.wire.faults import FaultCode

_NAMED = (b'"jsonrpc"', b"'jsonrpc'")
_OUTCOME = (b'"result"', b'"error"', b"'result'", b"'error'")
_IDENTITY = (b'"id"', b"'id'")
_BATCH = 20
"""Items of an array that are looked at."""


def may_be_answer(data: bytes, decoded: Decoded) -> bool:
    """Tell whether a line without a message is a broken answer: a log line, also one in JSON, is not.

    Of a line that could not be decoded the bytes must do: it begins as JSON and names JSON-RPC (or is too
    long to know), or is that member alone (an answer over several lines), or it has the members of a
    response anywhere (an answer behind text without a newline).
    """
    if decoded.ok:
        return _meant(decoded.value)
    if any(fault.code is FaultCode.CONTENT_LENGTH for fault in decoded.faults):
        return True
    text = data.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r")
    named = _has(text, _NAMED)
    if text.startswith((b"{", b"[")) and (named or decoded is OVERSIZE):
        return True
    if text.startswith(_NAMED):
        return True
    return _has(text, _OUTCOME) and (named or _has(text, _IDENTITY))


def _has(text: bytes, words: tuple[bytes, ...]) -> bool:
    return any(word in text for word in words)


def _meant(value: Json) -> bool:
    """Tell of a decoded value: an object or batch that says JSON-RPC, or a text that holds such a one."""
    match value:
        case dict():
            return "jsonrpc" in value
        case list():
            return any(isinstance(item, dict) and _response(item) for item in value[:_BATCH])
        case str():
            return '"jsonrpc"' in value
        case _:
            return False


def _response(item: dict[str, Json]) -> bool:
    return "jsonrpc" in item and "method" not in item
