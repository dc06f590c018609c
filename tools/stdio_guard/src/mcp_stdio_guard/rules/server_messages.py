"""Requests and notifications of the server: for what nobody declared, or too early."""

from collections.abc import Iterator

from mcp_check_core.model.finding import Severity
from mcp_check_core.wire.message import MessageKind
from mcp_check_core.wire.transcript import Frame, Phase
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

_LIFECYCLE = "MCP specification, lifecycle"

UNDECLARED = declare(
    "server-request-undeclared",
    "The server sends a request that the client did not declare",
    Severity.ERROR,
    IssueClass.MCP_PROTOCOL,
    CheckName.JSON_RPC,
    references=(f"{_LIFECYCLE}: operation",),
)
TOO_EARLY = declare(
    "message-before-initialized",
    "The server sends messages before the client is ready",
    Severity.WARNING,
    IssueClass.MCP_PROTOCOL,
    CheckName.JSON_RPC,
    references=(f"{_LIFECYCLE}: initialization",),
)
_DECLARED = (UNDECLARED, TOO_EARLY)
_ALLOWED_EARLY = ("ping", "notifications/message")

_UNDECLARED = Stray(
    UNDECLARED,
    "is a request that this client did not declare to take",
    "are requests that this client did not declare to take",
    "Ask for sampling, roots or elicitation only where the client's capabilities name it.",
)
_TOO_EARLY = Stray(
    TOO_EARLY,
    "is sent although the client has not said that it is initialized",
    "are sent although the client has not said that it is initialized",
    "Send only ping and log messages until notifications/initialized has come.",
)


def judge(run: RunFacts) -> Iterator[Judgement]:
    """Judge what the server sent of its own accord; this client declares no capability."""
    if not run.process.started:
        yield from not_applicable(_DECLARED, NO_PROCESS)
        return
    yield from grouped(_strays(run))


def _strays(run: RunFacts) -> Iterator[tuple[Stray, Frame]]:
    for frame in run.wire.frames:
        if frame.method is None or frame.kind is MessageKind.RESPONSE:
            continue
        if frame.kind is MessageKind.REQUEST and frame.method != "ping":
            yield _UNDECLARED, frame
        elif _early(run, frame) and frame.method not in _ALLOWED_EARLY:
            yield _TOO_EARLY, frame


def _early(run: RunFacts, frame: Frame) -> bool:
    sent_ms = run.wire.initialized_ms
    return frame.phase is Phase.STARTUP or (sent_ms is not None and frame.at_ms < sent_ms)


BLOCK = Block(_DECLARED, judge, early=True)
