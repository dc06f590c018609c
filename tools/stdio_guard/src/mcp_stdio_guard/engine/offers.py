"""Offer versions that nobody speaks, in a process of their own."""

from mcp_check_core.wire.connector import Connector
from mcp_check_core.wire.reply import ReplyKind
from mcp_stdio_guard.engine.handshake import ask_initialize
from mcp_stdio_guard.facts.versions import UNSPOKEN, VersionOffer

_OVER = (ReplyKind.CLOSED, ReplyKind.UNSENT, ReplyKind.TIMEOUT, ReplyKind.TOO_LARGE)


async def offer_versions(connector: Connector) -> tuple[VersionOffer, ...] | None:
    """Send initialize with each unspoken version and gather the answers. Raises SpawnError.

    Returns None where the process was ended for a limit, so that a missing answer says nothing.
    SDK servers take a second initialize; of one that does not, the second answer says nothing.
    """
    offers: list[VersionOffer] = []
    async with connector.connection() as connection:
        for number, version in enumerate(UNSPOKEN, start=1):
            limits = connection.limits
            timeout = limits.startup_s if number == 1 else limits.request_s
            reply = await ask_initialize(connection, connector.client, version, timeout)
            offers.append(VersionOffer(number, version, reply))
            if reply.kind in _OVER:
                break
        await connection.close(connector.graces)
    return None if connection.process.breach else tuple(offers)
