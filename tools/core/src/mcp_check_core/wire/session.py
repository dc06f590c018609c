"""A ready session with a server: lists and calls, every answer a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.handshake import Handshake
from mcp_check_core.wire.listing import Listing, read_list
from mcp_check_core.wire.peer import Peer
from mcp_check_core.wire.reply import Reply
from mcp_check_core.wire.rounds import request_in_rounds
from mcp_check_core.wire.versions import Era


@dataclass(slots=True)
class Session:
    """A server that has answered the handshake, or in the modern era server/discover."""

    connection: Peer
    handshake: Handshake
    calls: int = field(default=0)

    @property
    def protocol(self) -> str:
        """The protocol version that was agreed on."""
        return self.handshake.version or self.handshake.offered

    @property
    def era(self) -> Era:
        """The era that this session is held in."""
        return self.handshake.era

    def declares(self, capability: str) -> bool:
        """Whether the server advertised a capability such as `tools`."""
        return isinstance(self.handshake.capabilities.get(capability), dict)

    async def list(self, method: str) -> Listing:
        """Read all pages of `tools/list`, `resources/list`, `resources/templates/list` or `prompts/list`."""
        return await read_list(self.connection, method)

    async def request(
        self, method: str, params: Mapping[str, Json], *, timeout: float | None = None
    ) -> Reply:
        """Send a request and wait for its end; where it is answered by a request for input, in rounds."""
        return await request_in_rounds(self.connection, method, params, timeout)

    async def call_tool(
        self, name: str, arguments: Mapping[str, Json], *, timeout: float | None = None
    ) -> Reply:
        """Call a tool and wait for the end of the call, `timeout` seconds at most."""
        self.calls += 1
        params: dict[str, Json] = {"name": name, "arguments": dict(arguments)}
        return await self.request("tools/call", params, timeout=timeout)

    async def alive(self, *, timeout: float = 5.0) -> bool:
        """Ask whether the server still answers: any well-formed answer will do.

        It is a `ping` that is sent, in the modern era, which has none, `server/discover`.
        """
        method = "ping" if self.era is Era.HANDSHAKE else "server/discover"
        return (await self.connection.request(method, timeout=timeout)).answered
