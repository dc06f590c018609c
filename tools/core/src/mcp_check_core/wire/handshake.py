"""The `initialize` handshake (2024-11-05 to 2025-11-25)."""

from dataclasses import dataclass, field

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json, json_type
from mcp_check_core.model.report import ServerIdentity
from mcp_check_core.wire.client_side import CLIENT_CAPABILITIES
from mcp_check_core.wire.connection import Connection
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.transcript import Phase
from mcp_check_core.wire.versions import LATEST_HANDSHAKE, MODERN_VERSIONS, has_handshake


@dataclass(frozen=True, slots=True)
class Handshake:
    """The answer to initialize.

    `problem` is None where a client can go on, else one sentence that says why it cannot. `version` is what
    the server answered, if it was a string.
    """

    reply: Reply
    offered: str
    version: str | None = None
    capabilities: dict[str, Json] = field(default_factory=dict)
    server: ServerIdentity = field(default_factory=ServerIdentity)
    instructions: str | None = None
    problem: str | None = None

    @property
    def ok(self) -> bool:
        """Whether a client can go on."""
        return self.problem is None


async def initialize(
    connection: Connection,
    client: dict[str, Json],
    *,
    version: str = LATEST_HANDSHAKE,
    capabilities: dict[str, Json] | None = None,
) -> Handshake:
    """Send initialize and read its answer; send `initialized` where the answer allows to go on."""
    params: dict[str, Json] = {
        "protocolVersion": version,
        "capabilities": CLIENT_CAPABILITIES if capabilities is None else capabilities,
        "clientInfo": client,
    }
    reply = await connection.request("initialize", params, timeout=connection.limits.startup_s)
    handshake = read_handshake(reply, version, connection.limits.startup_s)
    connection.phase = Phase.POST_INITIALIZE
    if handshake.ok:
        await connection.notify("notifications/initialized")
    return handshake


def read_handshake(reply: Reply, offered: str, allowed_s: float) -> Handshake:
    """Judge the answer to initialize, for which there were `allowed_s` seconds."""
    fields = reply.fields
    version, capabilities = fields.get("protocolVersion"), fields.get("capabilities")
    instructions = fields.get("instructions")
    return Handshake(
        reply=reply,
        offered=offered,
        version=version if isinstance(version, str) else None,
        capabilities=capabilities if isinstance(capabilities, dict) else {},
        server=_identity(fields.get("serverInfo"), version),
        instructions=instructions if isinstance(instructions, str) else None,
        problem=_problem(reply, version, capabilities, allowed_s),
    )


def _identity(info: Json, version: Json) -> ServerIdentity:
    member = info if isinstance(info, dict) else {}
    name, release = member.get("name"), member.get("version")
    return ServerIdentity(
        name=cut_text(name, 200) if isinstance(name, str) else None,
        version=cut_text(release, 100) if isinstance(release, str) else None,
        protocol=cut_text(version, 100) if isinstance(version, str) else None,
    )


def _problem(reply: Reply, version: Json, capabilities: Json, allowed_s: float) -> str | None:
    match reply.kind:
        case ReplyKind.RESULT:
            return _version_problem(version) or _capabilities_problem(capabilities)
        case ReplyKind.ERROR if reply.error is not None:
            return (
                f"it answered initialize with error {reply.error.code}: {cut_text(reply.error.message, 200)}"
            )
        case ReplyKind.TIMEOUT:
            return f"it did not answer initialize within {allowed_s:g} s"
        case ReplyKind.CLOSED:
            return "it closed its output before it answered initialize"
        case ReplyKind.UNSENT:
            return "it closed its input or output before initialize could be sent"
        case ReplyKind.TOO_LARGE:
            return "its answer to initialize is over the limit of a line"
        case _:
            return "its answer to initialize cannot be read as a JSON-RPC response"


def _version_problem(version: Json) -> str | None:
    if not isinstance(version, str):
        return f"protocolVersion in its answer to initialize is {_missing(version)}, not a string"
    if version in MODERN_VERSIONS:
        return f"it answered initialize with {version}, a revision that has no initialize"
    if not has_handshake(version):
        return f"it answered initialize with protocol version {cut_text(version, 60)!r}, which nobody speaks"
    return None


def _capabilities_problem(capabilities: Json) -> str | None:
    if isinstance(capabilities, dict):
        return None
    return f"capabilities in its answer to initialize are {_missing(capabilities)}, not an object"


def _missing(value: Json) -> str:
    return "missing" if value is None else json_type(value)
