"""Judge the answers of an agent's own calls, by the rules that the command applies.

    verdict = await guarded_call(session, tool, {"city": "Lisbon"})
    if verdict.flagged:
        print(verdict.reasons)

`judge` is pure. `guarded_call` makes exactly one call on a session of the official SDK, or on any object with
such a `call_tool`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from mcp_check_core.model.finding import Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition, read_tools
from mcp_check_core.model.tool_result import ToolResult, read_tool_result
from mcp_reality_check.facts.call import Call, Input, Purpose, tool_calls
from mcp_reality_check.facts.outcome import Outcome, read_result
from mcp_reality_check.registry import TOOL_RULES

_TIMEOUT_CODES = frozenset({408, -32001})
"""Error codes by which SDKs tell of a request that was not answered in time."""
_CLOSED_CODE = -32000
"""The error code by which SDKs tell of a connection that closed."""
_CLOSED_WORDS = "closed"
_CLOSED_TYPES = frozenset({"ClosedResourceError", "BrokenResourceError", "EndOfStream", "ConnectionError"})
"""Names of exceptions that a closed connection shows itself by, in whatever library."""


class CallOutcome(StrEnum):
    """How a call ended: a success, an honest error, the end of the connection, no answer in time."""

    OK = "ok"
    ERROR = "error"
    CRASH = "crash"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said of one call.

    `flagged`: a rule at warning or error speaks against it, or it crashed or timed out. `reasons` are one
    sentence each, of every finding, and hold no values of arguments. `response` is what the call returned,
    None where there was none.
    """

    outcome: CallOutcome
    flagged: bool
    reasons: tuple[str, ...]
    response: Any


class CallsTools(Protocol):
    """A session that calls tools, such as the official SDK's."""

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:  # noqa: ANN401 - any SDK's result
        """Call a tool and give its result; raises for an error of the protocol."""


def judge(tool: object, arguments: Mapping[str, Json], response: object) -> Verdict:
    """Judge one response.

    `tool` is the definition, as JSON or as an object of an SDK, or the bare name: then nothing is known of an
    output schema. `response` is the result of `tools/call`, as JSON or as an object of an SDK.
    """
    definition = _definition(tool)
    ending = read_result(_result(response))
    call = Call(Purpose.LIVE, Input(dict(arguments)), ending)
    facts = tool_calls(definition, (call,))
    findings = [finding for module in TOOL_RULES for finding in module.check(facts)]
    flagged = any(finding.severity is not Severity.INFO for finding in findings)
    outcome = CallOutcome.ERROR if ending.outcome is Outcome.ERROR else CallOutcome.OK
    reasons = tuple(f"{finding.rule_id}: {finding.message}" for finding in findings)
    return Verdict(outcome, flagged, reasons, response)


async def guarded_call(session: CallsTools, tool: object, arguments: Mapping[str, Json]) -> Verdict:
    """Call a tool once and judge what comes back.

    An error of the protocol is honest and not flagged; a connection that closes and a time-out are. Any other
    exception, cancellation among them, is the caller's and passes.
    """
    name = _definition(tool).name or ""
    try:
        response = await session.call_tool(name, dict(arguments))
    except Exception as problem:
        outcome = _outcome_of(problem)
        if outcome is None:
            raise
        return Verdict(outcome, outcome is not CallOutcome.ERROR, _REASONS[outcome], None)
    return judge(tool, arguments, response)


_REASONS: Mapping[CallOutcome, tuple[str, ...]] = {
    CallOutcome.ERROR: (),
    CallOutcome.CRASH: ("reality/call-crashed: The connection closed on the call.",),
    CallOutcome.TIMEOUT: ("reality/call-timeout: There was no answer to the call in time.",),
}


def _outcome_of(problem: Exception) -> CallOutcome | None:
    """Say how a call ended that raised, None where the exception says nothing of the call."""
    if isinstance(problem, TimeoutError):
        return CallOutcome.TIMEOUT
    if type(problem).__name__ in _CLOSED_TYPES or isinstance(problem, ConnectionError):
        return CallOutcome.CRASH
    error = getattr(problem, "error", None)
    code = getattr(error, "code", None)
    if not isinstance(code, int):
        return None
    message = str(getattr(error, "message", "")).lower()
    if code == _CLOSED_CODE and _CLOSED_WORDS in message:
        return CallOutcome.CRASH
    timed_out = code in _TIMEOUT_CODES and "timed out" in message
    return CallOutcome.TIMEOUT if timed_out else CallOutcome.ERROR


def _definition(tool: object) -> ToolDefinition:
    if isinstance(tool, ToolDefinition):
        return tool
    raw: Json = {"name": tool} if isinstance(tool, str) else _json(tool)
    return read_tools([raw])[0]


def _result(response: object) -> ToolResult:
    value = _json(response)
    return read_tool_result(value if isinstance(value, dict) else {})


def _json(value: object) -> Json:
    """Give the JSON of an object of an SDK, whose models write themselves; other values as they are.

    Members that are null are left out: SDKs write an absent one so. Raises
    TypeError for anything else.
    """
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        value = dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"neither a mapping nor an object that can be written as JSON: {type(value).__name__}")
