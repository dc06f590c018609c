"""Read a list of the server with all its pages, within bounds."""

from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.model.json_value import Json, json_type
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.peer import Peer
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.result_type import CacheHint, cache_hint

LIST_MEMBERS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}


class ListEnd(StrEnum):
    """Why no further page was asked for."""

    COMPLETE = "complete"
    REPEATED_CURSOR = "repeated-cursor"
    PAGE_LIMIT = "page-limit"
    ITEM_LIMIT = "item-limit"
    BAD_SHAPE = "bad-shape"
    NO_RESULT = "no-result"


@dataclass(frozen=True, slots=True)
class Listing:
    """All pages of one list. `reply` is the last one; `problem` says what is wrong with it, if anything.

    `cache` holds what each page says of how long it may be kept; nothing in the handshake era.
    """

    method: str
    items: tuple[Json, ...]
    pages: int
    end: ListEnd
    reply: Reply
    problem: str | None = None
    cache: tuple[CacheHint, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the server's whole list was read."""
        return self.end is ListEnd.COMPLETE


async def read_list(connection: Peer, method: str) -> Listing:
    """Ask for pages until there is no cursor. An empty cursor is one; absent or null ends the list.

    Limits: pages and items of the connection's `WireLimits`; a cursor that was sent before ends it too.
    """
    items: list[Json] = []
    seen: set[str] = set()
    cursor: str | None = None
    hints: list[CacheHint] = []
    pages = 0
    while True:
        reply = await connection.request(method, {} if cursor is None else {"cursor": cursor})
        if reply.kind is not ReplyKind.RESULT:
            return Listing(method, tuple(items), pages, ListEnd.NO_RESULT, reply, None, tuple(hints))
        if connection.envelope is not None:
            hints.append(cache_hint(reply.fields))
        page, following, problem = _read_page(reply, LIST_MEMBERS[method])
        pages += page is not None
        items.extend(page or ())
        end = ListEnd.BAD_SHAPE if problem else _end(connection.limits, len(items), pages, following, seen)
        if end is not None:
            _note_limit(connection, method, end)
            kept = tuple(items[: connection.limits.items])
            return Listing(method, kept, pages, end, reply, problem, tuple(hints))
        cursor = following
        seen.add(cursor or "")


def _end(limits: WireLimits, items: int, pages: int, following: str | None, seen: set[str]) -> ListEnd | None:
    if items > limits.items:
        return ListEnd.ITEM_LIMIT
    if following is None:
        return ListEnd.COMPLETE
    if following in seen:
        return ListEnd.REPEATED_CURSOR
    return ListEnd.PAGE_LIMIT if pages >= limits.pages else None


def _note_limit(connection: Peer, method: str, end: ListEnd) -> None:
    if end is ListEnd.ITEM_LIMIT:
        connection.note_limit(LIST_MEMBERS[method], connection.limits.items, method)
    elif end is ListEnd.PAGE_LIMIT:
        connection.note_limit("pages", connection.limits.pages, method)


def _read_page(reply: Reply, member: str) -> tuple[list[Json] | None, str | None, str | None]:
    """Read the items, the next cursor, and what is wrong; items beside a cursor of a wrong type count."""
    items, cursor = reply.fields.get(member), reply.fields.get("nextCursor")
    if not isinstance(items, list):
        kind = "missing" if member not in reply.fields else json_type(items)
        return None, None, f"{member} is {kind}, not an array"
    if cursor is not None and not isinstance(cursor, str):
        return items, None, f"nextCursor is {json_type(cursor)}, not a string"
    return items, cursor, None
