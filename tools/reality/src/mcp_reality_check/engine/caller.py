"""Make one call and say how it ended, with the facts that show it."""

from dataclasses import replace

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.connector import exit_evidence
from mcp_check_core.wire.peer import NoProcess
from mcp_check_core.wire.session import Session
from mcp_reality_check.facts.call import Call, Input, Purpose
from mcp_reality_check.facts.outcome import CLOSED, Ending, Outcome, read_ending

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


async def make_call(session: Session, name: str, given: Input, purpose: Purpose) -> Call:
    """Call a tool. A closed connection is a crash, unless a limit of ours ended the server."""
    reply = await session.call_tool(name, given.arguments)
    call = Call(purpose, given, read_ending(reply), reply.duration_ms, reply.size)
    if call.outcome is Outcome.CRASH:
        return await describe_death(session, call)
    if call.outcome is Outcome.TIMEOUT:
        told = Ending(Outcome.TIMEOUT, f"no answer within {session.connection.limits.request_s:g} s")
        return await _after_timeout(session, replace(call, ending=told, waited=True))
    return call


async def watch(session: Session, call: Call) -> Call:
    """Wait a moment whether the server dies of a call that it has answered; the call is a crash then."""
    if call.outcome in (Outcome.CRASH, Outcome.TIMEOUT, Outcome.STOPPED):
        return call
    slow_s = session.handshake.reply.duration_ms / 1000
    if await session.connection.death(max(AFTER_ANSWER_S, min(AFTER_ANSWER_MOST_S, slow_s))) is None:
        return call
    return await describe_death(session, replace(call, ending=CLOSED, after_answer=True))


async def describe_death(session: Session, call: Call) -> Call:
    """Add to a crash how the process ended; where a limit of ours ended it, it is no crash."""
    connection = session.connection
    gone = await connection.death(DEATH_S)
    if (breach := connection.process.breach) is not None:
        seen = f"over our limit: {breach.limit} {breach.allowed:g} (seen: {breach.seen:g})"
        return replace(call, ending=Ending(Outcome.STOPPED, f"the server was ended, {seen}"))
    ours = not isinstance(connection.process, NoProcess)
    unseen: dict[str, Json] = {"running": True} if ours else {}
    return replace(
        call,
        ending=CLOSED,
        death=exit_evidence(gone) if gone is not None else unseen,
        stderr=connection.stderr.tail(STDERR_BYTES),
    )


async def _after_timeout(session: Session, call: Call) -> Call:
    """Ping a server that did not answer: it may answer that, or be silent too, or end of it."""
    slow_s = 3 * session.handshake.reply.duration_ms / 1000
    patience_s = max(min(PING_S, session.connection.limits.request_s), min(PING_MOST_S, slow_s))
    alive = await session.alive(timeout=patience_s)
    if session.connection.ended is not None:
        return await describe_death(session, call)
    return replace(call, alive=alive, stderr=session.connection.stderr.tail(STDERR_BYTES))
