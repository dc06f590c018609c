"""Follow the resource links of an answer."""

from collections.abc import Iterator

from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.session import Session
from mcp_reality_check.facts.call import Call, Link
from mcp_reality_check.facts.outcome import environment_of

LINKS = 3
"""Links of one answer that are followed."""
_FETCHED_BY_CLIENTS = ("http:", "https:", "data:", "mailto:", "file:")
"""Schemes of addresses that a client can get without the server."""


async def follow_links(session: Session, call: Call) -> list[Link]:
    """Ask the server for the first resources that an answer links to.

    Addresses that a client can get by itself are left, and those that fail for want of network or login.
    """
    followed: list[Link] = []
    for pointer, uri in _links(call):
        if len(followed) == LINKS or session.connection.ended is not None:
            break
        if not session.declares("resources"):
            followed.append(Link(call, pointer, uri, "the server declares no resources"))
            continue
        reply = await session.request("resources/read", {"uri": uri})
        problem = _problem(reply)
        if problem is None or environment_of(problem) is None:
            followed.append(Link(call, pointer, uri, problem))
    return followed


def _links(call: Call) -> Iterator[tuple[str, str]]:
    result = call.ending.result
    for position, block in enumerate(result.content if result is not None else ()):
        if isinstance(block, dict) and block.get("type") == "resource_link":
            uri = block.get("uri")
            if isinstance(uri, str) and uri and not uri.lower().startswith(_FETCHED_BY_CLIENTS):
                yield f"/content/{position}/uri", uri


def _problem(reply: Reply) -> str | None:
    """Say why a resource could not be read, None where it was."""
    match reply.kind:
        case ReplyKind.RESULT:
            contents = reply.fields.get("contents")
            return None if isinstance(contents, list) and contents else "the answer has no contents"
        case ReplyKind.ERROR if reply.error is not None:
            return f"error {reply.error.code}: {reply.error.message}"
        case ReplyKind.TIMEOUT:
            return "no answer in time"
        case ReplyKind.TOO_LARGE:
            return None
        case ReplyKind.MALFORMED:
            return "the answer cannot be read"
        case _:
            return "the connection closed"
