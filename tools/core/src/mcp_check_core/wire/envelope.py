"""What every request of the modern era carries: the `_meta` envelope (specification 2026-07-28)."""

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_check_core.model.json_value import Json

PREFIX = "io.modelcontextprotocol/"
"""What the specification's own keys of `_meta` begin with."""

VERSION_KEY = PREFIX + "protocolVersion"
CAPABILITIES_KEY = PREFIX + "clientCapabilities"
CLIENT_KEY = PREFIX + "clientInfo"
SERVER_KEY = PREFIX + "serverInfo"


@dataclass(frozen=True, slots=True)
class Envelope:
    """The protocol version of a request, who sends it, and what that client declares."""

    version: str
    client: Mapping[str, Json]
    capabilities: Mapping[str, Json]

    def around(self, params: Mapping[str, Json] | None) -> dict[str, Json]:
        """Give params with the envelope's keys in `_meta`; a key that is there already stays as it is."""
        given = dict(params or {})
        meta = given.get("_meta")
        keys: dict[str, Json] = {
            VERSION_KEY: self.version,
            CAPABILITIES_KEY: dict(self.capabilities),
            CLIENT_KEY: dict(self.client),
        }
        return {**given, "_meta": {**keys, **(meta if isinstance(meta, dict) else {})}}
