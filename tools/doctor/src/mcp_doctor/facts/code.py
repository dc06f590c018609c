"""What the code does that a rule may judge: writes to stdout, catches, uses of an SDK."""

from dataclasses import dataclass
from enum import StrEnum

from mcp_doctor.facts.place import Place


class Reach(StrEnum):
    """When a statement runs: as a module is imported, as the server starts, or in a call of a tool."""

    IMPORT = "import"
    START = "start"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class StdoutWrite:
    """A statement that writes to stdout and is reached; `steps` are functions on the way, outermost first.

    `tools` are those in whose calls it runs, none where that may be any.
    """

    place: Place
    what: str
    reach: Reach
    language: str
    tools: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    code: str = ""


@dataclass(frozen=True, slots=True)
class BareCatch:
    """A handler that also catches what asks the process to end, and does not raise again.

    `function` is the name of the function that it stands in, the empty text for none.
    """

    place: Place
    what: str
    tool: str | None = None
    function: str = ""


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
