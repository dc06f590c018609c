"""Ask the server for its tools; where that ends it, once more on fresh servers."""

import time
from dataclasses import dataclass, replace

from mcp_check_core.model.tool import ToolDefinition, read_tools
from mcp_check_core.wire.connector import NotConnectedError
from mcp_check_core.wire.listing import ListEnd, Listing
from mcp_fuzz.engine.caller import describe
from mcp_fuzz.engine.servers import HUNG, Servers
from mcp_fuzz.facts.call import TRIES, Call
from mcp_fuzz.facts.case import LISTING
from mcp_fuzz.facts.outcome import Outcome, Verdict, classify_failure


@dataclass(frozen=True, slots=True)
class Listed:
    """The tools of the server. `call` is the request as rules see it, `end` why no further page was read."""

    tools: tuple[ToolDefinition, ...]
    end: ListEnd
    call: Call
    declared: bool

    @property
    def missing(self) -> str | None:
        """Say why there are no tools to look at although there may be some; None where the list is usable."""
        if self.tools or self.call.outcome is Outcome.OK:
            return None
        if not self.declared and self.call.outcome is Outcome.REJECTED:
            return None
        return f"tools/list did not give the tools: {self.call.verdict.detail}"


async def list_tools(servers: Servers) -> Listed:
    """Read all pages of the tools, and leave a server open. Raises NotConnectedError."""
    listed = await _list_once(servers)
    if listed.call.outcome not in (Outcome.CRASH, Outcome.TIMEOUT):
        return listed
    seen, tries, usable = 1, 1, None
    for _ in range(TRIES - 1):
        await servers.close(HUNG if listed.call.waited else None)
        try:
            again = await _list_once(servers)
        except NotConnectedError:
            break
        tries += 1
        if again.call.outcome is listed.call.outcome:
            seen += 1
        else:
            usable = again
    call = replace(listed.call, seen=seen, tries=tries)
    return replace(usable or listed, call=call)


async def _list_once(servers: Servers) -> Listed:
    session = servers.session or await servers.open()
    started_at = time.time()
    listing = await session.list("tools/list")
    call = await describe(session, LISTING, listing.reply, _verdict(listing), started_at)
    return Listed(read_tools(listing.items), listing.end, call, session.declares("tools"))


def _verdict(listing: Listing) -> Verdict:
    if listing.end is ListEnd.NO_RESULT:
        return classify_failure(listing.reply)
    if listing.problem is not None:
        return Verdict(Outcome.MALFORMED, listing.problem)
    return Verdict(Outcome.OK)
