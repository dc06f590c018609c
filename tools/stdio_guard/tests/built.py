"""Facts built by hand for the tests of rules."""

from collections.abc import Sequence
from typing import Any

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.decode import decode
from mcp_check_core.wire.faults import Fault, FaultCode
from mcp_check_core.wire.handshake import read_handshake
from mcp_check_core.wire.message import RpcError, read_message
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.transcript import Direction, Frame, Phase
from mcp_stdio_guard.facts.run import ListFacts, ListOutcome, ProcessFacts, RunFacts, WireFacts
from mcp_stdio_guard.rules.declare import Abstention, Block

RESULT: dict[str, Json] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "built", "version": "1"},
}


def frame(
    text: str,
    number: int = 1,
    *,
    phase: Phase = Phase.POST_INITIALIZE,
    during: str | None = None,
    faults: Sequence[FaultCode] = (),
    size: int | None = None,
    late: bool = False,
    at_ms: float = 100.0,
) -> Frame:
    """Build a received line; its JSON and JSON-RPC faults are those that the wire would note."""
    decoded = decode(text.encode(), 512)
    message, more = read_message(decoded.value) if decoded.ok else (None, ())
    return Frame(
        direction=Direction.RECEIVED,
        number=number,
        phase=phase,
        at_ms=at_ms,
        size=len(text) if size is None else size,
        excerpt=text[:2000],
        kind=message.kind if message else None,
        id=message.id if message else None,
        method=message.method if message else None,
        faults=(*decoded.faults, *more, *(Fault(code) for code in faults)),
        during=during,
        late=late,
    )


def reply(method: str, kind: ReplyKind = ReplyKind.RESULT, result: Json = None, code: int = 0) -> Reply:
    error = RpcError(code, "no") if kind is ReplyKind.ERROR else None
    return Reply(kind, 1, method, 1.0, result=result, error=error)


def run(
    *frames: Frame,
    number: int = 1,
    lists: Sequence[ListFacts] = (),
    result: Json = None,
    initialize: Reply | None = None,
    wire: dict[str, Any] | None = None,
    process: dict[str, Any] | None = None,
    plain_python: bool = False,
) -> RunFacts:
    """Build the facts of a run that made the handshake, unless `initialize` says otherwise."""
    answer = initialize or reply("initialize", result=RESULT if result is None else result)
    limits = {
        "received": len(frames),
        "stdout_limit": 1_048_576,
        "line_limit": 262_144,
        "stderr_limit": 1_048_576,
    }
    return RunFacts(
        number=number,
        process=ProcessFacts(pid=1, **(process or {})),
        wire=WireFacts(frames=frames, **{**limits, **(wire or {})}),
        handshake=read_handshake(answer, "2025-11-25", 30.0),
        startup_ms=20.0,
        request_s=5.0,
        startup_s=30.0,
        lists=tuple(lists),
        plain_python=plain_python,
    )


def listing(
    *items: Json, method: str = "tools/list", outcome: ListOutcome = ListOutcome.COMPLETE
) -> ListFacts:
    return ListFacts(method, items, 1, outcome, reply(method, result={}))


def tool(name: Json = "now", **over: Json) -> dict[str, Json]:
    return {"name": name, "description": "Tell the time.", "inputSchema": {"type": "object"}, **over}


def findings(block: Block[Any], facts: object) -> list[Finding]:
    return [judged for judged in block.judge(facts) if isinstance(judged, Finding)]


def abstained(block: Block[Any], facts: object) -> dict[str, bool]:
    """Give the slugs of rules that abstained, with whether they could not tell."""
    made = (judged for judged in block.judge(facts) if isinstance(judged, Abstention))
    return {one.rule.partition("/")[2]: one.unknown for one in made}
