"""What the server says to protocol versions that nobody speaks."""

from dataclasses import dataclass

from mcp_check_core.wire.reply import Reply

UNSPOKEN = ("2999-01-01", "1999-01-01")
"""Versions that we offer though they do not exist: a client of the future, and one before MCP."""


@dataclass(frozen=True, slots=True)
class VersionOffer:
    """One initialize with an unspoken version, and what came of it. `number` counts within the process."""

    number: int
    offered: str
    reply: Reply

    @property
    def answered(self) -> str | None:
        """The version in the answer, if it is a string."""
        version = self.reply.fields.get("protocolVersion")
        return version if isinstance(version, str) else None
