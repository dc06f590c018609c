"""The lockfile as data, and its one text: ASCII JSON with sorted keys, the same bytes on every machine."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from mcp_check_core.judges.canonical import canonical_definition, definition_hashes
from mcp_check_core.judges.shape import children
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.decode import decode
from mcp_check_core.wire.faults import FaultCode

VERSION = 1
"""Of the file's format. A later one is refused, never guessed at."""
MAX_BYTES = 128 * 1024 * 1024
_DEPTH = 80
_MEMBERS = frozenset(
    {"instructions", "integrity", "launch", "lockVersion", "package", "protocol", "server", "tools"}
)


class LockError(Exception):
    """A lockfile cannot be used; the message is one clause that says why and what to do."""


@dataclass(frozen=True, slots=True)
class Launch:
    """How the server was reached: `stdio`, `http` or `file`, and the hash of its command or URL."""

    kind: str
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Spoken:
    """In which era and version the definitions were listed, and to a client that declares what."""

    era: str | None = None
    version: str | None = None
    capabilities: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lock:
    """What was reviewed. `tools` are canonical definitions, by name.

    `instructions_known` is False where a saved list did not hold them. `package` names what a launcher
    resolved, with version and digest; None where none does.
    """

    tools: tuple[Json, ...]
    instructions: str | None
    instructions_known: bool
    server_name: str | None
    server_version: str | None
    spoken: Spoken
    launch: Launch
    package: Mapping[str, Json] | None = None


def to_bytes(lock: Lock) -> bytes:
    """Write a lock. Raises LockError where it holds a number that JSON has no place for."""
    document = _document(lock)
    if not _finite(document):
        raise LockError("a definition holds a number that JSON cannot hold (NaN or infinite)")
    document["integrity"] = _integrity(document)
    return (_ascii(document, indent=1) + "\n").encode("ascii")


def from_bytes(data: bytes) -> Lock:
    """Read a lock. Raises LockError for one that is broken, was edited, or is of a later version."""
    again = "restore it, or delete it and lock anew"
    if len(data) > MAX_BYTES:
        raise LockError(f"it is over {MAX_BYTES} bytes; {again}")
    decoded = decode(data, _DEPTH)
    document = decoded.value
    if not decoded.ok or not isinstance(document, dict):
        raise LockError(f"it is not a JSON object, so it was cut or edited; {again}")
    version = document.get("lockVersion")
    number = version if isinstance(version, int) and not isinstance(version, bool) else 0
    if number > VERSION:
        raise LockError(f"it is of version {number}, this mcp-lint reads {VERSION}; install a newer one")
    odd = [fault.code for fault in decoded.faults if fault.code is not FaultCode.LONE_SURROGATE]
    if number != VERSION or set(document) != _MEMBERS or odd:
        raise LockError(f"it is no lockfile of this tool; {again}")
    claimed = document.pop("integrity")
    if claimed != _integrity(document):
        raise LockError(f"its content does not match its integrity hash, so it was edited or cut; {again}")
    return _lock(document)


def _document(lock: Lock) -> dict[str, Json]:
    text = lock.instructions
    return {
        "lockVersion": VERSION,
        "server": {"name": lock.server_name, "version": lock.server_version},
        "protocol": {
            "era": lock.spoken.era,
            "version": lock.spoken.version,
            "clientCapabilities": dict(lock.spoken.capabilities),
        },
        "launch": {"kind": lock.launch.kind, "sha256": lock.launch.sha256},
        "package": dict(lock.package) if lock.package is not None else None,
        "instructions": {
            "known": lock.instructions_known,
            "text": text,
            "sha256": None if text is None else _sha256(text.encode("utf-8", "surrogatepass")),
        },
        "tools": [_entry(tool) for tool in sorted(lock.tools, key=_name)],
    }


def _entry(tool: Json) -> Json:
    definition = canonical_definition(tool)
    return {"name": _name(tool), "definition": definition, "hashes": asdict(definition_hashes(definition))}


def _name(tool: Json) -> str:
    name = tool.get("name") if isinstance(tool, dict) else None
    return name if isinstance(name, str) else ""


def _lock(document: dict[str, Json]) -> Lock:
    server, spoken, launch = (_object(document[name]) for name in ("server", "protocol", "launch"))
    instructions = _object(document["instructions"])
    package = document["package"]
    tools = document["tools"] if isinstance(document["tools"], list) else []
    return Lock(
        tools=tuple(_object(entry).get("definition") for entry in tools),
        instructions=_text(instructions.get("text")),
        instructions_known=instructions.get("known") is True,
        server_name=_text(server.get("name")),
        server_version=_text(server.get("version")),
        spoken=Spoken(
            _text(spoken.get("era")), _text(spoken.get("version")), _object(spoken.get("clientCapabilities"))
        ),
        launch=Launch(_text(launch.get("kind")) or "", _text(launch.get("sha256"))),
        package=package if isinstance(package, dict) else None,
    )


def _integrity(document: Mapping[str, Json]) -> str:
    return f"sha256-{_sha256(_ascii(dict(document)).encode('ascii'))}"


def _ascii(value: Json, indent: int | None = None) -> str:
    separators = (",", ": ") if indent else (",", ":")
    return json.dumps(value, ensure_ascii=True, sort_keys=True, indent=indent, separators=separators)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _finite(value: Json) -> bool:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, float) and not math.isfinite(item):
            return False
        waiting.extend(children(item))
    return True


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None
