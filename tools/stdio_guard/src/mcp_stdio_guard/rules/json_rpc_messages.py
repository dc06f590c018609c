"""Lines on stdout that are JSON and no message that JSON-RPC 2.0, as MCP uses it, allows."""

from collections.abc import Iterator
from dataclasses import replace

from mcp_check_core.model.finding import Severity
from mcp_check_core.wire.faults import FaultCode
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

_BASE = "MCP specification, basic protocol: messages"

INVALID_JSON_RPC = declare(
    "stdout-invalid-json-rpc",
    "A line on stdout is JSON and no valid JSON-RPC message",
    Severity.ERROR,
    IssueClass.MCP_PROTOCOL,
    CheckName.JSON_RPC,
    kinds=(
        "not-an-object",
        "neither-request-nor-response",
        "jsonrpc-version",
        "id-invalid",
        "result-and-error",
        "result-not-an-object",
        "error-malformed",
        "method-not-a-string",
        "params-not-an-object",
        "duplicate-key",
        "too-deep",
    ),
    references=(_BASE, "JSON-RPC 2.0"),
)
BATCH = declare(
    "stdout-batch",
    "Several messages are sent as one array",
    Severity.ERROR,
    IssueClass.MCP_PROTOCOL,
    CheckName.JSON_RPC,
    references=("MCP specification 2025-06-18, changes: JSON-RPC batching removed",),
)
_DECLARED = (INVALID_JSON_RPC, BATCH)
_BATCHING = ("2024-11-05", "2025-03-26")
"""Versions that allow, or do not exclude, batches."""

_SHAPE = (
    "Send objects with jsonrpc “2.0” and either a method, or the id of a request with a result or an error."
)


def _stray(
    code: FaultCode, one: str, many: str, hint: str = _SHAPE, severity: Severity | None = None
) -> Stray:
    return Stray(INVALID_JSON_RPC, one, many, hint, kind=code.value, severity=severity)


_STRAYS = {
    code: _stray(code, f"{one} {rest}", f"{many} {rest}")
    for code, one, many, rest in (
        (FaultCode.NOT_AN_OBJECT, "is", "are", "JSON, but no JSON-RPC message"),
        (FaultCode.NO_KIND, "is", "are", "JSON, but neither request, notification nor response"),
        (FaultCode.VERSION, "does", "do", "not say jsonrpc “2.0”"),
        (FaultCode.ID_INVALID, "has", "have", "an id that is neither string nor integer"),
        (FaultCode.RESULT_AND_ERROR, "has", "have", "both a result and an error"),
        (FaultCode.RESULT_TYPE, "has", "have", "a result that is no object"),
        (FaultCode.ERROR_SHAPE, "has", "have", "an error without an integer code and a string message"),
        (FaultCode.METHOD_TYPE, "has", "have", "a method that is no string"),
        (FaultCode.PARAMS_TYPE, "has", "have", "params that are no object"),
        (FaultCode.TOO_DEEP, "nests", "nest", "deeper than clients can read"),
    )
} | {
    FaultCode.DUPLICATE_KEY: _stray(
        FaultCode.DUPLICATE_KEY,
        "has an object with one key twice",
        "have an object with one key twice",
        "Write each key of an object once; readers differ in which one they take.",
        Severity.WARNING,
    )
}
_BATCH = Stray(
    BATCH,
    "is an array of messages, which this protocol version does not have",
    "are arrays of messages, which this protocol version does not have",
    "Send each message on a line of its own.",
)
_BATCH_ALLOWED = replace(
    _BATCH,
    one="is an array of messages, which later protocol versions do not have",
    many="are arrays of messages, which later protocol versions do not have",
    severity=Severity.INFO,
)
_FIRST_OF = (FaultCode.TOO_DEEP, FaultCode.NOT_AN_OBJECT, FaultCode.NO_KIND)
"""Faults that explain the others of their line."""


def judge(run: RunFacts) -> Iterator[Judgement]:
    """Judge each line that could be read as JSON."""
    if not run.process.started:
        yield from not_applicable(_DECLARED, NO_PROCESS)
        return
    yield from grouped(_strays(run))


def _strays(run: RunFacts) -> Iterator[tuple[Stray, Frame]]:
    batch = _BATCH_ALLOWED if run.protocol in _BATCHING else _BATCH
    for frame in run.wire.frames:
        codes = [fault.code for fault in frame.faults]
        if FaultCode.BATCH in codes:
            yield batch, frame
        first = next((code for code in _FIRST_OF if code in codes), None)
        for code in [first] if first else codes:
            if code in _STRAYS and not _answers_notification(frame, code):
                yield _STRAYS[code], frame


def _answers_notification(frame: Frame, code: FaultCode) -> bool:
    """Tell whether a response without an id is judged as the answer to a notification."""
    return code is FaultCode.ID_INVALID and frame.id is None


BLOCK = Block(_DECLARED, judge, early=True)
