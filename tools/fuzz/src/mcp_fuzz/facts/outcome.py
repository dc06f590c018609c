"""How one call ended, judged from the reply alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.judges.disguise import Disguise, Suspicion, judge_response
from mcp_check_core.judges.environment import EnvironmentKind, EnvironmentSign, judge_environment
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.finding import Certainty
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition
from mcp_check_core.model.tool_result import ToolResult, read_tool_result
from mcp_check_core.wire.message import RpcError
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_fuzz.facts.case import Case, Validity
from mcp_fuzz.facts.signs import Sign, read_sign, refuses

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
    `wrong_code` is the code of an orderly refusal that lays the fault to the server. `disguised`: the refusal
    calls itself a success, which is no defect here, but no success either.
    """

    outcome: Outcome
    detail: str = ""
    error_kind: ErrorKind | None = None
    environment: str | None = None
    coerced: bool = False
    wrong_code: int | None = None
    disguised: bool = False

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
_BEFORE_WORDS = frozenset({EnvironmentKind.NETWORK, EnvironmentKind.BACKEND})
"""What is missing although the text has the words of an exception: that is how a library tells of it."""
_DISGUISE_READ = 1_000
"""Characters of a failure in disguise that are read for its cause."""
_FAILURES = frozenset({Disguise.REFUSAL, Disguise.ERROR, Disguise.STACK_TRACE})


def classify(reply: Reply, case: Case, tool: ToolDefinition) -> Verdict:
    """Judge the reply to a call of a tool."""
    if reply.kind is ReplyKind.RESULT:
        return _result(reply.fields, case, tool)
    if reply.kind is ReplyKind.ERROR:
        return _error(reply.error or RpcError(_SDK_EXCEPTION, ""), case)
    return classify_failure(reply)


def classify_failure(reply: Reply) -> Verdict:
    """Judge a reply that is no result, to a request without arguments that could be refused."""
    match reply.kind:
        case ReplyKind.ERROR:
            return _error(reply.error or RpcError(_SDK_EXCEPTION, ""), None)
        case ReplyKind.TIMEOUT:
            return Verdict(Outcome.TIMEOUT, "no answer in time")
        case ReplyKind.MALFORMED:
            return Verdict(Outcome.MALFORMED, _faults(reply) or "the answer cannot be read")
        case ReplyKind.TOO_LARGE:
            seen = f"an answer of {reply.size} bytes" if reply.size else "more output than the limit"
            return Verdict(Outcome.TOO_LARGE, seen)
        case _:
            return Verdict(Outcome.CRASH, "the connection closed")


def _result(result: Mapping[str, Json], case: Case, tool: ToolDefinition) -> Verdict:
    read = read_tool_result(result)
    if read.problem is not None:
        return Verdict(Outcome.MALFORMED, f"the result is no tool result: {read.problem}")
    if read.is_error:
        return _told(read.text)
    if (doubt := _disguise(read, case, tool)) is not None:
        return _disguised(doubt, read.text)
    if case.validity is Validity.INVALID:
        return Verdict(
            Outcome.ACCEPTED_INVALID, cut_text(read.text, DETAIL_CHARACTERS), coerced=case.coercible
        )
    return Verdict(Outcome.OK)


def _disguise(read: ToolResult, case: Case, tool: ToolDefinition) -> Suspicion | None:
    """Find the evidence that a success is a failure in truth; a mere hint counts for bad input alone."""
    for doubt in judge_response(tool, case.arguments, read):
        sure = doubt.certainty is not Certainty.HEURISTIC
        if doubt.kind in _FAILURES and (sure or case.validity is Validity.INVALID):
            return doubt
    return None


def _disguised(doubt: Suspicion, text: str) -> Verdict:
    """Judge a failure that calls itself a success: a refusal, whose form is for others to judge."""
    seen = _read(f"{doubt.excerpt}\n{text[:_DISGUISE_READ]}")
    wanting = seen.kind.wanted if isinstance(seen, EnvironmentSign) else None
    detail = cut_text(text.strip() or doubt.excerpt, DETAIL_CHARACTERS)
    return Verdict(Outcome.REJECTED, detail, environment=wanting, disguised=True)


def _error(error: RpcError, case: Case | None) -> Verdict:
    """Judge a JSON-RPC error: what its text shows counts first, then its code.

    Without a case there is nothing that could be refused.
    """
    text = f"{error.message}\n{error.data}" if isinstance(error.data, str) else error.message
    seen = _read(text)
    detail = f"error {error.code}: {cut_text(error.message, DETAIL_CHARACTERS)}"
    if error.code == _LOGIN_ASKED:
        return Verdict(Outcome.REJECTED, detail, environment=EnvironmentKind.CREDENTIAL.wanted)
    if isinstance(seen, EnvironmentSign):
        return Verdict(Outcome.REJECTED, detail, environment=seen.kind.wanted)
    if seen in (Sign.STACK, Sign.EXCEPTION):
        return Verdict(Outcome.INTERNAL_ERROR, detail, ErrorKind.TRACE)
    if error.code in _CLIENT_CODES or not _is_servers(error.code):
        return Verdict(Outcome.REJECTED, detail)
    if case is not None and (seen is Sign.VALIDATION or (seen is None and _refuses(error.message, case))):
        return Verdict(Outcome.REJECTED, detail, wrong_code=error.code)
    return Verdict(Outcome.INTERNAL_ERROR, detail, ErrorKind.CODE)


def _told(text: str) -> Verdict:
    """Judge the text of a result that says `isError: true`."""
    seen = _read(text)
    detail = cut_text(text, DETAIL_CHARACTERS)
    if isinstance(seen, EnvironmentSign):
        return Verdict(Outcome.REJECTED, detail, environment=seen.kind.wanted)
    if seen in (Sign.STACK, Sign.EXCEPTION):
        return Verdict(Outcome.INTERNAL_ERROR, detail, ErrorKind.TRACE)
    if seen is Sign.HIDDEN:
        return Verdict(Outcome.INTERNAL_ERROR, detail, ErrorKind.HIDDEN)
    return Verdict(Outcome.REJECTED, detail)


def _read(text: str) -> Sign | EnvironmentSign | None:
    """Read what an error text shows.

    A printed stack is one whatever caused it. A network or program that is missing comes next, then the other
    signs, and last a quota or login, whose words also stand in messages on arguments.
    """
    sign = read_sign(text)
    wanting = judge_environment(text) if sign is not Sign.STACK else None
    if sign is None or (wanting is not None and wanting.kind in _BEFORE_WORDS):
        return wanting
    return sign


def _refuses(message: str, case: Case) -> bool:
    names = [case.parameter.rpartition(".")[2].partition("[")[0]] if case.parameter else []
    return refuses(message, names=names, values=case.arguments.values())


def _is_servers(code: int) -> bool:
    """Whether a code lays the fault to the server."""
    return code == _SDK_EXCEPTION or code in _RESERVED


def _faults(reply: Reply) -> str:
    return ", ".join(
        f"{fault.code.value} ({fault.detail})" if fault.detail else fault.code.value for fault in reply.faults
    )
