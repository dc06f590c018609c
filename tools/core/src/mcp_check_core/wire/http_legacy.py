"""Recognise the old HTTP+SSE transport (2024-11-05): a GET whose first event names a second endpoint."""

from contextlib import aclosing

import anyio

from mcp_check_core.wire.event_stream import EventSplitter
from mcp_check_core.wire.http_wire import BrokenError, HttpWire, UnreachableError
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.target import HttpTarget

_BYTES = 64 * 1024
"""What is read of the stream; the endpoint is its first event."""
_PATIENCE_S = 3.0


async def speaks_old_transport(target: HttpTarget, limits: WireLimits) -> bool:
    """Whether a GET of the URL gives a stream whose first event is `endpoint`, within three seconds."""
    with anyio.move_on_after(min(limits.probe_s, _PATIENCE_S)):
        try:
            return await _first_event(target, limits) == "endpoint"
        except (UnreachableError, BrokenError):
            return False
    return False


async def _first_event(target: HttpTarget, limits: WireLimits) -> str | None:
    splitter = EventSplitter(limits.event_bytes)
    read = 0
    async with (
        HttpWire(target, limits) as wire,
        wire.send("GET", {"Accept": "text/event-stream"}, None) as response,
    ):
        if response.status != 200 or response.media_type != "text/event-stream":
            return None
        async with aclosing(response.chunks()) as chunks:
            async for chunk in chunks:
                read += len(chunk)
                for event in splitter.feed(chunk):
                    return event.name
                if read > _BYTES:
                    return None
    return None
