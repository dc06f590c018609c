"""How much of a value is filled in, and what is noted of the places in it."""

from dataclasses import dataclass, field
from enum import Enum, auto

from mcp_check_core.inputs.places import Path
from mcp_check_core.inputs.resolve import Schema


class Fill(Enum):
    """How much of an object is filled in.

    `typical` is `minimal`, and where nothing is required the first property that is a text. `defaults` is
    what is required and what has a default that is not null.
    """

    MINIMAL = auto()
    TYPICAL = auto()
    FULL = auto()
    DEFAULTS = auto()


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a made value: whether it must be there, the JSON types of its schema (empty: it names none).

    `schema` is what the value was made from: references followed, one branch chosen; `stated` is the same
    before a branch was chosen.
    """

    path: Path
    required: bool
    types: tuple[str, ...]
    schema: Schema = field(default_factory=dict)
    stated: Schema = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Source:
    """Where the value at a place comes from."""

    path: Path
    source: str
