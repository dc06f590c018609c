"""What the code does that a rule may judge: writes to stdout, catches, uses of an SDK."""

from dataclasses import dataclass
from enum import StrEnum

from mcp_doctor.facts.place import Place


class Reach(StrEnum):
    """When a statement runs: as a module is imported, before the server serves, or in a call of a tool."""

    IMPORT = "import"
    START = "start"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class StdoutWrite:
    """A statement that writes to stdout and is reached. `steps` are the functions on the way, outermost first.

    `tool` is None where it is not within a call of one certain tool.
    """

    place: Place
    what: str
    reach: Reach
    language: str
    tool: str | None = None
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BareCatch:
    """A handler that also catches what asks the process to end, and does not raise again."""

    place: Place
    what: str
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class SdkUse:
    """A use of a package by a dotted name, such as `mcp.server.fastmcp`.

    `guarded`: it stands where its absence is expected (a try with a handler for the import error).
    """

    place: Place
    ecosystem: str
    package: str
    name: str
    guarded: bool = False


class Transport(StrEnum):
    """How a server is started."""

    STDIO = "stdio"
    HTTP = "http"
    OPEN = "open"
