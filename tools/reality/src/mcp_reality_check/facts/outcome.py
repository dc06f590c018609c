"""How one call ended, read from the reply alone."""

from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.judges.environment import EnvironmentKind, judge_environment
from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.tool_result import ToolResult, read_tool_result
from mcp_check_core.wire.reply import Reply, ReplyKind

DETAIL_CHARACTERS = 300
_LOGIN_ASKED = -32042
"""The error code of revision 2025-11-25 that asks for a visit to a URL, mostly a login."""


class Outcome(StrEnum):
    """How a call ended.

    `answered` claims success, `error` tells of a failure as the protocol wants it. `needs-input` asks the
    client for something that it does not offer. `stopped`: a limit of ours ended the server.
    """

    ANSWERED = "answered"
    ERROR = "error"
    CRASH = "crash"
    TIMEOUT = "timeout"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too-large"
    NEEDS_INPUT = "needs-input"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a call ended, with a few words on what was seen.

    `result` is there where the server gave a tool result, also one that cannot be used: `detail` says then
    what is wrong. `environment` names what was missing around the server, where that is why it failed.
    """

    outcome: Outcome
    detail: str = ""
    result: ToolResult | None = None
    environment: EnvironmentKind | None = None


CLOSED = Ending(Outcome.CRASH, "the connection closed")


def read_ending(reply: Reply) -> Ending:
    """Read how a call ended. Never raises."""
    if reply.login_needed:
        told = f"it wants a login (HTTP status {reply.status})"
        return Ending(Outcome.ERROR, told, environment=EnvironmentKind.CREDENTIAL)
    match reply.kind:
        case ReplyKind.RESULT if reply.needs_input is not None:
            return Ending(Outcome.NEEDS_INPUT, f"it asks for {', '.join(reply.needs_input) or 'a repeat'}")
        case ReplyKind.RESULT:
            return read_result(read_tool_result(reply.fields))
        case ReplyKind.ERROR:
            return _told(reply)
        case ReplyKind.TIMEOUT:
            return Ending(Outcome.TIMEOUT, "no answer in time")
        case ReplyKind.MALFORMED:
            return Ending(Outcome.UNREADABLE, _faults(reply) or "the answer cannot be read")
        case ReplyKind.TOO_LARGE:
            return Ending(Outcome.TOO_LARGE, "the answer is larger than our limit")
        case _:
            return CLOSED


def read_result(result: ToolResult) -> Ending:
    """Say of a tool result whether it claims success, tells of a failure, or is none."""
    if result.problem is not None:
        return Ending(Outcome.UNREADABLE, result.problem, result)
    if result.is_error:
        told = cut_text(result.text, DETAIL_CHARACTERS)
        return Ending(Outcome.ERROR, told, result, environment_of(result.text))
    return Ending(Outcome.ANSWERED, "", result)


def environment_of(error_text: str) -> EnvironmentKind | None:
    """Say what an error was for want of, None where it blames the call or the code."""
    sign = judge_environment(error_text)
    return None if sign is None else sign.kind


def _told(reply: Reply) -> Ending:
    error = reply.error
    if error is None:
        return Ending(Outcome.ERROR, "an error")
    text = f"{error.message}\n{error.data}" if isinstance(error.data, str) else error.message
    login = error.code == _LOGIN_ASKED
    lacks = EnvironmentKind.CREDENTIAL if login else environment_of(text)
    detail = f"error {error.code}: {cut_text(error.message, DETAIL_CHARACTERS)}"
    return Ending(Outcome.ERROR, detail, environment=lacks)


def _faults(reply: Reply) -> str:
    return ", ".join(
        f"{fault.code.value} ({fault.detail})" if fault.detail else fault.code.value for fault in reply.faults
    )
