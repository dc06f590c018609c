"""Make one call and say how it ended, with the facts that show it."""

import json
import time
from collections.abc import Mapping
from dataclasses import replace

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition
from mcp_check_core.model.tool_result import read_tool_result
from mcp_check_core.wire.connector import exit_evidence
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.session import Session
from mcp_fuzz.facts.call import Call
from mcp_fuzz.facts.case import Case, Phase
from mcp_fuzz.facts.outcome import Outcome, Verdict, classify, classify_failure

STDERR_BYTES = 1_000
"""Bytes of the end of stderr that go into evidence."""
DEATH_S = 1.0
"""How long a process may still take to end once its output has closed."""
PING_S = 2.0
PING_MOST_S = 10.0
"""How long a server that did not answer a call may take for a ping: 2 s, or 3 times its start, bounded."""
AFTER_ANSWER_S, AFTER_ANSWER_MOST_S = 0.3, 2.0
"""How long is waited, where that is suspected, for a server to die of a call that it answered: 0.3 s, or as
long as its start took, bounded."""

CLOSED = Verdict(Outcome.CRASH, "the connection closed")


async def make_call(session: Session, case: Case, tool: ToolDefinition | None) -> Call:
    """Make the call of a case; `tool` is None for tools/list alone.

    A closed connection is a crash, unless a limit of ours ended the server.
    """
    started_at = time.time()
    if tool is None or case.phase is Phase.LIST:
        reply = await session.connection.request("tools/list", {})
        verdict = Verdict(Outcome.OK) if reply.kind is ReplyKind.RESULT else classify_failure(reply)
    else:
        reply = await session.call_tool(case.name, case.arguments)
        verdict = classify(reply, case, tool)
    return await describe(session, case, reply, verdict, started_at)


async def describe(session: Session, case: Case, reply: Reply, verdict: Verdict, started_at: float) -> Call:
    """Put together what is known of a request that has ended."""
    call = Call(
        case=case,
        verdict=verdict,
        duration_ms=reply.duration_ms,
        started_at=started_at,
        size=reply.size,
        characters=_characters(reply.fields) if reply.kind is ReplyKind.RESULT else 0,
        excerpt=reply.excerpt if verdict.outcome is Outcome.MALFORMED else "",
    )
    if call.outcome is Outcome.CRASH:
        return await describe_death(session, call)
    if call.outcome is Outcome.TIMEOUT:
        told = replace(verdict, detail=f"no answer within {session.connection.limits.request_s:g} s")
        return await _after_timeout(session, replace(call, verdict=told, waited=True))
    return call


async def _after_timeout(session: Session, call: Call) -> Call:
    """Ping a server that did not answer: it may answer that, or be silent too, or end of it.

    A server on the Python SDK whose handler ends the process is such a one: it waits for one more line.
    """
    slow_s = 3 * session.handshake.reply.duration_ms / 1000
    patience_s = max(min(PING_S, session.connection.limits.request_s), min(PING_MOST_S, slow_s))
    alive = await session.alive(timeout=patience_s)
    if session.connection.ended is not None:
        return await describe_death(session, replace(call, verdict=CLOSED))
    return replace(call, alive=alive, stderr=session.connection.stderr.tail(STDERR_BYTES))


async def watch(session: Session, call: Call) -> Call:
    """Wait a moment whether the server dies of a call that it has answered; the call is a crash then."""
    if call.outcome in (Outcome.CRASH, Outcome.TIMEOUT, Outcome.STOPPED):
        return call
    slow_s = session.handshake.reply.duration_ms / 1000
    if await session.connection.death(max(AFTER_ANSWER_S, min(AFTER_ANSWER_MOST_S, slow_s))) is None:
        return call
    crash = replace(call, verdict=CLOSED, after_answer=True)
    return await describe_death(session, crash)


async def describe_death(session: Session, call: Call) -> Call:
    """Add to a crash how the process ended; where a limit of ours ended it, it is no crash."""
    connection = session.connection
    gone = await connection.death(DEATH_S)
    if (breach := connection.process.breach) is not None:
        seen = f"over our limit: {breach.limit} {breach.allowed:g} (seen: {breach.seen:g})"
        return replace(call, verdict=Verdict(Outcome.STOPPED, f"the server was ended, {seen}"))
    return replace(
        call,
        death=exit_evidence(gone) if gone is not None else {"running": True},
        stderr=connection.stderr.tail(STDERR_BYTES),
    )


def _characters(result: Mapping[str, Json]) -> int:
    """Count what a model would read of a result: its texts, and other blocks as JSON."""
    read = read_tool_result(result)
    others = [
        block for block in read.content if not (isinstance(block, dict) and block.get("type") == "text")
    ]
    if not read.content and read.has_structured:
        others = [read.structured]
    return len(read.text) + sum(len(json.dumps(block)) for block in others)
