"""The body of one response, read within bounds and cut into messages."""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass

import anyio.lowlevel

from mcp_check_core.wire.event_stream import EventSplitter
from mcp_check_core.wire.http_exchange import HttpFaultCode, OpenExchange
from mcp_check_core.wire.http_wire import BrokenError, Response, UnreachableError
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.lines import Line

JSON_TYPE = "application/json"
STREAM_TYPE = "text/event-stream"
_EVENTS_A_TURN = 256
"""Events that are read before deadlines and signals get their turn: some milliseconds of work."""


class SpentError(Exception):
    """The bound on all that is received was reached; nothing more is read."""


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """What holds for a body: the limits, and who is told when one is hit or how much came."""

    wire: WireLimits
    hit: Callable[[str, int], None]
    count: Callable[[int], None]


@contextmanager
def noting(exchange: OpenExchange) -> Iterator[None]:
    """Note why nothing, or not everything, came back, and let the exception pass."""
    try:
        yield
    except UnreachableError as problem:
        exchange.problem = str(problem)
        raise
    except BrokenError as problem:
        exchange.problem = str(problem)
        exchange.fault(HttpFaultCode.CUT, str(problem))
        raise


async def read_body(response: Response, exchange: OpenExchange, limits: BodyLimits) -> bytes | None:
    """Read a body whole; None where it is over the limit. Raises BrokenError and SpentError."""
    parts: list[bytes] = []
    async with aclosing(_counted(response, exchange, limits)) as chunks:
        async for chunk in chunks:
            parts.append(chunk)
            if exchange.size > limits.wire.line_bytes:
                limits.hit("body bytes", limits.wire.line_bytes)
                exchange.fault(HttpFaultCode.TOO_LARGE, f"a body of more than {limits.wire.line_bytes} bytes")
                return None
    return b"".join(parts)


async def read_events(
    response: Response, exchange: OpenExchange, limits: BodyLimits, splitter: EventSplitter
) -> AsyncGenerator[Line]:
    """Read the messages of an event stream as they come, priming events aside.

    Ends with the stream, or with one event more than the limit. Raises BrokenError and SpentError.
    """
    async with aclosing(_counted(response, exchange, limits)) as chunks:
        async for chunk in chunks:
            for event in splitter.feed(chunk):
                if not event.data:
                    continue
                exchange.events += 1
                if exchange.events > limits.wire.events:
                    limits.hit("events of a stream", limits.wire.events)
                    exchange.fault(HttpFaultCode.TOO_LARGE, f"more than {limits.wire.events} events")
                    return
                if event.name != "message":
                    exchange.fault(HttpFaultCode.EVENT_NAME, f"an event named {event.name!r}")
                if event.oversize:
                    limits.hit("event bytes", limits.wire.event_bytes)
                    exchange.fault(HttpFaultCode.EVENT_SIZE, f"an event of {event.size} bytes")
                yield Line(exchange.events, event.data, event.size, oversize=event.oversize)
                if exchange.events % _EVENTS_A_TURN == 0:
                    await anyio.lowlevel.checkpoint()


async def _counted(response: Response, exchange: OpenExchange, limits: BodyLimits) -> AsyncGenerator[bytes]:
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("", "identity"):
        exchange.fault(HttpFaultCode.CONTENT_ENCODING, f"{encoding}, which was not asked for")
    async with aclosing(response.chunks()) as chunks:
        async for chunk in chunks:
            exchange.size += len(chunk)
            limits.count(len(chunk))
            yield chunk


def status_words(response: Response, exchange: OpenExchange) -> str:
    """Say in words what came in place of an answer: the status, and the type of the body."""
    if not exchange.size:
        return f"HTTP status {response.status} without a body"
    return f"HTTP status {response.status} with {response.media_type or 'a body of no type'}"
