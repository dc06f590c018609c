"""The handshake as guard makes it: with a moment between the answer and `initialized`."""

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.client_side import CLIENT_CAPABILITIES
from mcp_check_core.wire.connection import Connection
from mcp_check_core.wire.handshake import Handshake, read_handshake
from mcp_check_core.wire.reply import Reply
from mcp_check_core.wire.transcript import Phase
from mcp_check_core.wire.versions import LATEST_HANDSHAKE

INITIALIZED = "notifications/initialized"


async def ask_initialize(
    connection: Connection, client: dict[str, Json], version: str, timeout: float
) -> Reply:
    """Send initialize and wait for its end."""
    params: dict[str, Json] = {
        "protocolVersion": version,
        "capabilities": CLIENT_CAPABILITIES,
        "clientInfo": client,
    }
    return await connection.request("initialize", params, timeout=timeout)


async def shake_hands(connection: Connection, client: dict[str, Json]) -> Handshake:
    """Ask to initialize and judge the answer; `initialized` is left to `confirm`."""
    allowed_s = connection.limits.startup_s
    reply = await ask_initialize(connection, client, LATEST_HANDSHAKE, allowed_s)
    return read_handshake(reply, LATEST_HANDSHAKE, allowed_s)


async def confirm(connection: Connection, hold_s: float) -> None:
    """Say `initialized`, after `hold_s` seconds in which the server should be silent."""
    if hold_s > 0 and connection.ended is None:
        await connection.death(hold_s)
    connection.phase = Phase.POST_INITIALIZE
    await connection.notify(INITIALIZED)
