"""Ask a server for its definitions and keep them in the corpus's form; compare them with recorded ones."""

import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mcp_check_core._version import __version__
from mcp_check_core.model.json_value import Json
from mcp_check_core.process.environment import minimal_environment
from mcp_check_core.wire.client_side import client_info
from mcp_check_core.wire.connector import Connector, NotConnectedError
from mcp_check_core.wire.faults import NOT_A_MESSAGE
from mcp_check_core.wire.limits import WireLimits
from mcp_check_core.wire.listing import Listing
from mcp_check_core.wire.session import Session
from mcp_check_core.wire.target import StdioTarget
from scripts.fieldwork.bounded import LIMITS
from scripts.fieldwork.corpus import Entry
from scripts.fieldwork.sdk import installed_version
from scripts.fieldwork.start import Start

START_S = 60.0
_HANDSHAKE = ("protocolVersion", "capabilities", "serverInfo")


@dataclass(frozen=True, slots=True)
class Captured:
    """What a server said of itself; `problem` says why there is no document, or what is missing in it.

    `startup_ms` runs from the start of the process to the answer to initialize. `stray_lines` are lines of
    stdout that were no message.
    """

    document: dict[str, Json] | None = None
    startup_ms: int | None = None
    stray_lines: int = 0
    problem: str = ""

    @property
    def tools(self) -> list[Json]:
        """The definitions as they came."""
        tools = (self.document or {}).get("tools")
        return tools if isinstance(tools, list) else []


@dataclass(frozen=True, slots=True)
class Difference:
    """Names of tools that a fresh capture has not, or has in addition, in order of the alphabet."""

    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


@dataclass(slots=True)
class _Seen:
    """What is gathered while the server runs."""

    session: Session | None = None
    listing: Listing | None = None
    startup_ms: int | None = None
    started: float = field(default_factory=time.monotonic)


async def capture(entry: Entry, start: Start, installed: Path) -> Captured:
    """Start a server, read its handshake and all its tools, and end it. A failure is a value."""
    environment = minimal_environment(os.environ, extra=start.variables)
    target = StdioTarget(start.argv, start.cwd, environment, tuple(start.variables))
    connector = Connector(target, client_info(__version__), WireLimits(startup_s=START_S), LIMITS)
    seen = _Seen()
    try:
        async with connector.session() as session:
            seen.startup_ms = round((time.monotonic() - seen.started) * 1000)
            seen.session = session
            seen.listing = await session.list("tools/list")
    except NotConnectedError as problem:
        return Captured(problem=problem.message)
    return _captured(entry, seen, installed)


def _captured(entry: Entry, seen: _Seen, installed: Path) -> Captured:
    assert seen.session is not None
    assert seen.listing is not None
    answer, listing = seen.session.handshake.reply.fields, seen.listing
    source: dict[str, Json] = {
        "registry": entry.registry.value,
        "package": entry.package,
        "version": installed_version(entry, installed) or entry.version,
        "command": [*entry.command_line],
        "env": [*entry.variables],
    }
    document: dict[str, Json] = {
        "source": source,
        "initialize": {name: answer[name] for name in _HANDSHAKE if name in answer},
        "instructions": answer.get("instructions"),
        "tools": [*listing.items],
    }
    faulty = seen.session.connection.transcript.faulty
    stray = sum(any(fault.code in NOT_A_MESSAGE for fault in frame.faults) for frame in faulty)
    return Captured(document, seen.startup_ms, stray, _problem(listing))


def _problem(listing: Listing) -> str:
    if listing.complete:
        return ""
    error = listing.reply.error
    why = listing.problem or (f"error {error.code}" if error else listing.reply.kind.value)
    return f"tools/list is not whole: {listing.end.value} ({why})"


def names(document: Mapping[str, Json]) -> list[str]:
    """Return the names of a document's tools, those that are no texts left out."""
    tools = document.get("tools")
    found = (tool.get("name") for tool in tools if isinstance(tool, dict)) if isinstance(tools, list) else ()
    return [name for name in found if isinstance(name, str)]


def compare(recorded: Iterable[str], fresh: Iterable[str]) -> Difference:
    """Compare two lists of names."""
    before, after = set(recorded), set(fresh)
    return Difference(tuple(sorted(before - after)), tuple(sorted(after - before)))


def read_document(path: Path) -> dict[str, Json] | None:
    """Read a recorded capture; None where there is none or it is no object."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return held if isinstance(held, dict) else None


def dump(document: Mapping[str, Json]) -> str:
    """Write a capture as the corpus keeps it; what cannot be written in UTF-8 is written as an escape."""
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(document, indent=1) + "\n"
    return text
