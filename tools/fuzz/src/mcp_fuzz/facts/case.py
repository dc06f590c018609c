"""One call that is to be made, and what its arguments are by the tool's own schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from mcp_check_core.model.bounds import cut_value
from mcp_check_core.model.json_value import Json

REPRODUCE_TEXT = 4_000
"""Characters of one text in a request that is shown to be sent again."""


class Phase(StrEnum):
    """What a case is after; `list` is the request for the tools themselves."""

    LIST = "list"
    VALID = "valid"
    MISSING = "missing"
    WRONG_TYPE = "wrong-type"


class Validity(StrEnum):
    """What the tool's schema says of arguments; `unknown` where the schema cannot be used to judge."""

    VALID = "valid"
    INVALID = "invalid"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Case:
    """One call: `name` goes to the server, `tool` is the bounded label of reports, empty for tools/list.

    `parameter` names the property under test as a path such as `filter.tags[0].name`, `pointer` is the JSON
    pointer of it within `arguments`. `wanted` are the JSON types that the schema allows there and `sent` is
    the one that was sent, for a wrong type. `variant` tells the valid calls of one tool apart.
    """

    tool: str
    name: str
    phase: Phase
    arguments: Mapping[str, Json]
    validity: Validity
    variant: str = ""
    parameter: str | None = None
    pointer: str | None = None
    wanted: tuple[str, ...] = ()
    sent: Json = None

    @property
    def label(self) -> str:
        """Name the case for a reader: its phase and what is particular to it."""
        return " ".join(part for part in (self.phase.value, self.parameter or self.variant) if part)

    @property
    def request(self) -> Json:
        """The JSON-RPC request that makes this call; very long texts are cut, and say so."""
        if self.phase is Phase.LIST:
            return {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        arguments = cut_value(self.arguments, text=REPRODUCE_TEXT, items=200, depth=60)
        return {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": self.name[:REPRODUCE_TEXT], "arguments": arguments},
        }

    @property
    def coercible(self) -> bool:
        """Whether what was sent is another writing of a value that the schema allows: "5" for 5."""
        return self.phase is Phase.WRONG_TYPE and any(is_writing_of(self.sent, kind) for kind in self.wanted)


def is_writing_of(value: Json, kind: str) -> bool:
    """Tell whether a value of another type says the same as one of type `kind`, without loss."""
    match kind:
        case "integer" | "number":
            return isinstance(value, bool) or (isinstance(value, str) and _is_number(value, kind))
        case "boolean":
            return value in (0, 1, "true", "false")
        case _:
            return False


def _is_number(text: str, kind: str) -> bool:
    try:
        number = float(text)
    except ValueError:
        return False
    return kind == "number" or number.is_integer()


LISTING = Case(tool="", name="", phase=Phase.LIST, arguments={}, validity=Validity.VALID)
"""The request for the tools."""
