"""Read the definitions of a live server: every list that it advertises, with all pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from mcp_check_core.model.json_value import Json, canonical_json
from mcp_check_core.wire.connector import Connector
from mcp_check_core.wire.listing import ListEnd
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.session import Session
from mcp_lint.facts.definitions import Definitions, Listed, ListKind, make_definitions

_METHODS = {
    ListKind.PROMPTS: ("prompts", "prompts/list"),
    ListKind.RESOURCES: ("resources", "resources/list"),
    ListKind.TEMPLATES: ("resources", "resources/templates/list"),
}
"""The capability that announces a list, and the method that asks for it."""
_METHOD_NOT_FOUND = -32601
_OURS = {
    ListEnd.PAGE_LIMIT: "it has more pages than are read (--max-pages)",
    ListEnd.ITEM_LIMIT: "it has more entries than are read (--max-tools)",
}


@dataclass(frozen=True, slots=True)
class Gathered:
    """The definitions, and in which era they were listed; None for a saved list."""

    definitions: Definitions
    era: str | None
    declares_tools: bool


async def gather(connector: Connector) -> Gathered:
    """Start the server, list all, end it. Raises NotConnectedError."""
    async with connector.session() as session:
        handshake = session.handshake
        declares_tools = session.declares("tools")
        tools = await _listed(session, "tools/list") if declares_tools else Listed()
        others = {
            kind: await _listed(session, method)
            for kind, (capability, method) in _METHODS.items()
            if session.declares(capability)
        }
        definitions = make_definitions(
            tools,
            instructions=handshake.instructions,
            others=others,
            server=handshake.server,
            protocol=session.protocol,
        )
        return Gathered(definitions, session.era.value, declares_tools)


async def _listed(session: Session, method: str) -> Listed:
    listing = await session.list(method)
    items = listing.items
    if listing.end is ListEnd.COMPLETE:
        return Listed(items)
    if listing.end in _OURS:
        return Listed(items, _OURS[listing.end], whole=False, ours=True)
    if listing.end is ListEnd.REPEATED_CURSOR:
        return Listed(_once(items), f"its cursor repeats after {listing.pages} pages", whole=False)
    if listing.end is ListEnd.BAD_SHAPE:
        return Listed(items, listing.problem, whole=False)
    absent = listing.reply.error is not None and listing.reply.error.code == _METHOD_NOT_FOUND
    if absent and method != "tools/list":
        return Listed()
    ours = listing.reply.kind is ReplyKind.TOO_LARGE
    return Listed(items, _why(listing.reply, session.connection.limits.request_s), whole=False, ours=ours)


def _why(reply: Reply, allowed_s: float) -> str:
    match reply.kind:
        case ReplyKind.ERROR if reply.error is not None:
            return f"it was answered with error {reply.error.code}"
        case ReplyKind.TIMEOUT:
            return f"it was not answered within {allowed_s:g} s"
        case ReplyKind.CLOSED | ReplyKind.UNSENT:
            return "the server went away before it answered"
        case ReplyKind.TOO_LARGE:
            return "its answer is over the limit of a line (--max-stdout-line-bytes)"
        case _:
            return "its answer cannot be read as a JSON-RPC response"


def _once(items: Sequence[Json]) -> tuple[Json, ...]:
    """Drop entries that came again with a page that was sent twice."""
    return tuple({canonical_json(item): item for item in items}.values())
