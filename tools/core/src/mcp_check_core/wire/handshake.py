"""The `initialize` handshake (2024-11-05 to 2025-11-25), and what it shares with `server/discover`."""

from dataclasses import dataclass, field

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json, json_type
from mcp_check_core.model.report import ServerIdentity
from mcp_check_core.wire.client_side import CLIENT_CAPABILITIES
from mcp_check_core.wire.peer import Peer
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.transcript import Phase
from mcp_check_core.wire.versions import LATEST_HANDSHAKE, MODERN_VERSIONS, Era, has_handshake


@dataclass(frozen=True, slots=True)
class Handshake:
    """The answer to initialize, or in the modern era to server/discover.

    `problem` is None where a client can go on, else one sentence that says why it cannot. `version` is what
    the server answered, if it was a string. `supported` are the versions that it names as its own.
    """

    reply: Reply
    offered: str
    version: str | None = None
    capabilities: dict[str, Json] = field(default_factory=dict)
    server: ServerIdentity = field(default_factory=ServerIdentity)
    instructions: str | None = None
    problem: str | None = None
    era: Era = Era.HANDSHAKE
    supported: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether a client can go on."""
        return self.problem is None


async def initialize(
    connection: Peer,
    client: dict[str, Json],
    *,
    version: str = LATEST_HANDSHAKE,
    capabilities: dict[str, Json] | None = None,
    exact: bool = False,
) -> Handshake:
    """Send initialize and read its answer; send `initialized` where the answer allows to go on.

    With `exact` another version than the one offered does not.
    """
    params: dict[str, Json] = {
        "protocolVersion": version,
        "capabilities": CLIENT_CAPABILITIES if capabilities is None else capabilities,
        "clientInfo": client,
    }
    reply = await connection.request("initialize", params, timeout=connection.limits.startup_s)
    handshake = read_handshake(reply, version, connection.limits.startup_s, exact=exact)
    connection.phase = Phase.POST_INITIALIZE
    if handshake.ok:
        await connection.notify("notifications/initialized")
    return handshake


def read_handshake(reply: Reply, offered: str, allowed_s: float, *, exact: bool = False) -> Handshake:
    """Judge the answer to initialize, for which there were `allowed_s` seconds."""
    fields = reply.fields
    version, capabilities = fields.get("protocolVersion"), fields.get("capabilities")
    instructions = fields.get("instructions")
    return Handshake(
        reply=reply,
        offered=offered,
        version=version if isinstance(version, str) else None,
        capabilities=capabilities if isinstance(capabilities, dict) else {},
        server=identify(fields.get("serverInfo"), version),
        instructions=instructions if isinstance(instructions, str) else None,
        problem=reply_problem(reply, allowed_s)
        or _version_problem(version, offered if exact else None)
        or capabilities_problem(capabilities, reply.method),
        supported=versions_named(reply),
    )


def identify(info: Json, version: Json) -> ServerIdentity:
    """Read what a server calls itself, bounded."""
    member = info if isinstance(info, dict) else {}
    name, release = member.get("name"), member.get("version")
    return ServerIdentity(
        name=cut_text(name, 200) if isinstance(name, str) else None,
        version=cut_text(release, 100) if isinstance(release, str) else None,
        protocol=cut_text(version, 100) if isinstance(version, str) else None,
    )


def versions_named(reply: Reply) -> tuple[str, ...]:
    """Give the versions that an error names as supported (`data.supported` of −32022 and −32602)."""
    data = reply.error.data if reply.error is not None else None
    return strings(data.get("supported") if isinstance(data, dict) else None)


def strings(value: Json) -> tuple[str, ...]:
    """Give the strings of an array, the first twenty, bounded; nothing for anything else."""
    items = value[:20] if isinstance(value, list) else []
    return tuple(cut_text(item, 60) for item in items if isinstance(item, str))


def reply_problem(reply: Reply, allowed_s: float) -> str | None:
    """Say why an opening request has no result; None where it has one."""
    if reply.problem is not None and reply.kind is not ReplyKind.ERROR:
        return f"it did not answer {reply.method}: {reply.problem}"
    match reply.kind:
        case ReplyKind.RESULT:
            return None
        case ReplyKind.ERROR if reply.error is not None:
            said = cut_text(reply.error.message, 200)
            return f"it answered {reply.method} with error {reply.error.code}: {said}"
        case ReplyKind.TIMEOUT:
            return f"it did not answer {reply.method} within {allowed_s:g} s"
        case ReplyKind.CLOSED:
            return f"it closed its output before it answered {reply.method}"
        case ReplyKind.UNSENT:
            return f"it closed its input or output before {reply.method} could be sent"
        case ReplyKind.TOO_LARGE:
            return f"its answer to {reply.method} is over the limit of a line"
        case _:
            return f"its answer to {reply.method} {_unreadable(reply)}"


def _unreadable(reply: Reply) -> str:
    if reply.error is None:
        return "cannot be read as a JSON-RPC response"
    return f"is an error that names no request: {cut_text(reply.error.message, 200)}"


def capabilities_problem(capabilities: Json, method: str) -> str | None:
    """Say what is wrong with the capabilities of an answer."""
    if isinstance(capabilities, dict):
        return None
    return f"capabilities in its answer to {method} are {missing(capabilities)}, not an object"


def missing(value: Json) -> str:
    """Name the type of a value that is of the wrong one; null is as good as missing."""
    return "missing" if value is None else json_type(value)


def _version_problem(version: Json, wanted: str | None) -> str | None:
    if not isinstance(version, str):
        return f"protocolVersion in its answer to initialize is {missing(version)}, not a string"
    if version in MODERN_VERSIONS:
        return f"it answered initialize with {version}, a revision that has no initialize"
    if not has_handshake(version):
        return f"it answered initialize with protocol version {cut_text(version, 60)!r}, which nobody speaks"
    if wanted is not None and version != wanted:
        return f"it does not speak {wanted}: it answered initialize with protocol version {version}"
    return None
