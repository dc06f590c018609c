"""How one call ended, judged from the reply alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool_result import read_tool_result
from mcp_check_core.wire.message import RpcError
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_fuzz.facts.case import Case, Validity
from mcp_fuzz.facts.signs import Sign, read_sign

DETAIL_CHARACTERS = 300


class Outcome(StrEnum):
    """How a call ended; `stopped` is a call that a limit of ours ended, which says nothing of the server."""

    OK = "ok"
    REJECTED = "rejected"
    ACCEPTED_INVALID = "accepted-invalid"
    INTERNAL_ERROR = "internal-error"
    CRASH = "crash"
    TIMEOUT = "timeout"
    MALFORMED = "malformed-response"
    TOO_LARGE = "response-too-large"
    STOPPED = "stopped"


class ErrorKind(StrEnum):
    """How an internal error shows: by its code, by the text of an exception, or as an error without words."""

    CODE = "code"
    TRACE = "trace"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a call ended, with a few words on what was seen.

    `error_kind` goes with an internal error. `environment` names what was missing around the server where
    that is why the call failed. `coerced`: invalid input that was taken as another writing of a valid value.
    """

    outcome: Outcome
    detail: str = ""
    error_kind: ErrorKind | None = None
    environment: str | None = None
    coerced: bool = False

    @property
    def orderly(self) -> bool:
        """Whether a call should end so: an answer, a refusal, an honest error, a harmless coercion."""
        return self.outcome in (Outcome.OK, Outcome.REJECTED) or self.coerced


_CLIENT_CODES = frozenset({-32602, -32600, -32002, -32021})
"""Error codes that put the fault with the request or name something absent: invalid params, invalid request,
resource not found, a capability that the client has not."""
_LOGIN_ASKED = -32042
"""The code of revision 2025-11-25 that asks for a visit to a URL, mostly a login."""
_RESERVED = range(-32768, -31999)
"""Codes that JSON-RPC keeps for itself and for servers; application errors lie outside."""
_SDK_EXCEPTION = 0
"""The code that the low-level Python SDK gives to an exception of a handler."""
_ENVIRONMENT: dict[Sign | None, str] = {
    Sign.NETWORK: "the network",
    Sign.CREDENTIAL: "a credential",
    Sign.RATE_LIMIT: "a rate limit",
}


def classify(reply: Reply, case: Case) -> Verdict:
    """Judge the reply to a call of a tool."""
    return _result(reply.fields, case) if reply.kind is ReplyKind.RESULT else classify_failure(reply)


def classify_failure(reply: Reply) -> Verdict:
    """Judge a reply that is no result, to whatever request."""
    match reply.kind:
        case ReplyKind.ERROR:
            return _error(reply.error or RpcError(_SDK_EXCEPTION, ""))
        case ReplyKind.TIMEOUT:
            return Verdict(Outcome.TIMEOUT, "no answer in time")
        case ReplyKind.MALFORMED:
            return Verdict(Outcome.MALFORMED, _faults(reply) or "the answer cannot be read")
        case ReplyKind.TOO_LARGE:
            seen = f"an answer of {reply.size} bytes" if reply.size else "more output than the limit"
            return Verdict(Outcome.TOO_LARGE, seen)
        case _:
            return Verdict(Outcome.CRASH, "the connection closed")


def _result(result: Mapping[str, Json], case: Case) -> Verdict:
    read = read_tool_result(result)
    if read.problem is not None:
        return Verdict(Outcome.MALFORMED, f"the result is no tool result: {read.problem}")
    if read.is_error:
        return _told(read.text)
    if case.validity is Validity.INVALID:
        return Verdict(
            Outcome.ACCEPTED_INVALID, cut_text(read.text, DETAIL_CHARACTERS), coerced=case.coercible
        )
    return Verdict(Outcome.OK)


def _error(error: RpcError) -> Verdict:
    """Judge a JSON-RPC error: what its text shows counts first, then its code."""
    text = f"{error.message}\n{error.data}" if isinstance(error.data, str) else error.message
    sign = read_sign(text)
    detail = f"error {error.code}: {cut_text(error.message, DETAIL_CHARACTERS)}"
    if error.code == _LOGIN_ASKED or sign in _ENVIRONMENT:
        return Verdict(Outcome.REJECTED, detail, environment=_ENVIRONMENT.get(sign, "a credential"))
    if sign is Sign.TRACE:
        return Verdict(Outcome.INTERNAL_ERROR, detail, ErrorKind.TRACE)
    if sign is Sign.VALIDATION or error.code in _CLIENT_CODES:
        return Verdict(Outcome.REJECTED, detail)
    if error.code == _SDK_EXCEPTION or error.code in _RESERVED:
        return Verdict(Outcome.INTERNAL_ERROR, detail, ErrorKind.CODE)
    return Verdict(Outcome.REJECTED, detail)


def _told(text: str) -> Verdict:
    """Judge the text of a result that says `isError: true`."""
    sign = read_sign(text)
    detail = cut_text(text, DETAIL_CHARACTERS)
    if sign in _ENVIRONMENT:
        return Verdict(Outcome.REJECTED, detail, environment=_ENVIRONMENT[sign])
    if sign is Sign.TRACE:
        return Verdict(Outcome.INTERNAL_ERROR, detail, ErrorKind.TRACE)
    if sign is Sign.HIDDEN:
        return Verdict(Outcome.INTERNAL_ERROR, detail, ErrorKind.HIDDEN)
    return Verdict(Outcome.REJECTED, detail)


def _faults(reply: Reply) -> str:
    return ", ".join(
        f"{fault.code.value} ({fault.detail})" if fault.detail else fault.code.value for fault in reply.faults
    )
