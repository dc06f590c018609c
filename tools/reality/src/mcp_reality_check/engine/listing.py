"""Ask the server for its tools, on a second server where the first did not give them."""

from dataclasses import dataclass

from mcp_check_core.model.tool import ToolDefinition, read_tools
from mcp_check_core.wire.connector import NotConnectedError
from mcp_check_core.wire.listing import ListEnd, Listing
from mcp_check_core.wire.reply import ReplyKind
from mcp_reality_check.engine.servers import HUNG, Servers
from mcp_reality_check.facts.outcome import read_ending

_LOST = (ReplyKind.CLOSED, ReplyKind.UNSENT, ReplyKind.TIMEOUT)


@dataclass(frozen=True, slots=True)
class Listed:
    """The tools of the server; `end` says why no further page was read.

    `missing` says why there are none to look at although there may be some, None where the list is usable.
    """

    tools: tuple[ToolDefinition, ...]
    end: ListEnd
    missing: str | None = None


async def list_tools(servers: Servers) -> Listed:
    """Read all pages of the tools, and leave a server open. Raises NotConnectedError."""
    listing = await _once(servers)
    if listing.end is ListEnd.NO_RESULT and listing.reply.kind in _LOST:
        await servers.close(HUNG if listing.reply.kind is ReplyKind.TIMEOUT else None)
        try:
            listing = await _once(servers)
        except NotConnectedError:
            return _read(listing, declared=True)
    session = servers.session
    return _read(listing, declared=session is None or session.declares("tools"))


async def _once(servers: Servers) -> Listing:
    session = servers.session or await servers.open()
    return await session.list("tools/list")


def _read(listing: Listing, *, declared: bool) -> Listed:
    tools = read_tools(listing.items)
    if tools or listing.end not in (ListEnd.NO_RESULT, ListEnd.BAD_SHAPE):
        return Listed(tools, listing.end)
    if not declared and listing.reply.kind is ReplyKind.ERROR:
        return Listed(tools, listing.end)
    problem = listing.problem or read_ending(listing.reply).detail
    return Listed(tools, listing.end, f"tools/list did not give the tools: {problem}")
