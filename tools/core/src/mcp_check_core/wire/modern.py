"""The modern era (2026-07-28): no handshake, each request in its envelope, `server/discover` to begin."""

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.client_side import CLIENT_CAPABILITIES
from mcp_check_core.wire.envelope import SERVER_KEY, Envelope
from mcp_check_core.wire.handshake import (
    Handshake,
    capabilities_problem,
    identify,
    missing,
    reply_problem,
    strings,
    versions_named,
)
from mcp_check_core.wire.peer import Peer
from mcp_check_core.wire.reply import Reply
from mcp_check_core.wire.result_type import INPUT_REQUIRED
from mcp_check_core.wire.transcript import Phase
from mcp_check_core.wire.versions import LATEST_MODERN, Era

HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022
MODERN_CODES = frozenset({HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION})
"""Errors that only a server of the modern era gives."""


async def discover(
    connection: Peer,
    client: dict[str, Json],
    *,
    version: str = LATEST_MODERN,
    capabilities: dict[str, Json] | None = None,
) -> Handshake:
    """Put the connection into the modern era and ask what the server is.

    The answer may take as long as a probe (`probe_s`), and never longer than a start.
    """
    declared = CLIENT_CAPABILITIES if capabilities is None else capabilities
    connection.envelope = Envelope(version, client, declared)
    allowed_s = min(connection.limits.probe_s, connection.limits.startup_s)
    reply = await connection.request("server/discover", timeout=allowed_s)
    connection.phase = Phase.POST_INITIALIZE
    return read_discovery(reply, version, allowed_s)


def read_discovery(reply: Reply, version: str, allowed_s: float) -> Handshake:
    """Judge the answer to server/discover, for which there were `allowed_s` seconds."""
    fields = reply.fields
    supported = strings(fields.get("supportedVersions")) or versions_named(reply)
    capabilities, instructions = fields.get("capabilities"), fields.get("instructions")
    meta = fields.get("_meta")
    return Handshake(
        reply=reply,
        offered=version,
        version=version if version in supported and not reply.error else None,
        capabilities=capabilities if isinstance(capabilities, dict) else {},
        server=identify(meta.get(SERVER_KEY) if isinstance(meta, dict) else None, version),
        instructions=instructions if isinstance(instructions, str) else None,
        problem=reply_problem(reply, allowed_s)
        or _result_problem(fields, supported, version)
        or capabilities_problem(capabilities, reply.method),
        era=Era.MODERN,
        supported=supported,
    )


def is_modern(handshake: Handshake) -> bool:
    """Whether an answer shows that the server has the modern era, though not the version asked for."""
    error = handshake.reply.error
    return handshake.era is Era.MODERN and (
        handshake.ok or (error is not None and error.code in MODERN_CODES)
    )


def _result_problem(fields: dict[str, Json], supported: tuple[str, ...], version: str) -> str | None:
    named = fields.get("supportedVersions")
    if fields.get("resultType") == INPUT_REQUIRED:
        return "it answered server/discover by asking for input"
    if not isinstance(named, list):
        return f"supportedVersions in its answer to server/discover are {missing(named)}, not an array"
    if version not in supported:
        listed = ", ".join(supported) or "nothing"
        return f"supportedVersions in its answer to server/discover are {listed}, without {version}"
    return None
