"""What a server says of itself: its tools, instructions, prompts and resources, as the rules read them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from mcp_check_core.judges.shape import depth
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import ServerIdentity
from mcp_check_core.model.tool import ToolDefinition, read_tools
from mcp_lint.facts.frozen import frozen

DEPTH_BOUND = 64
"""Levels of a definition that rules read; a deeper one is a finding of S9 and nothing else."""


class ListKind(StrEnum):
    """The lists beside `tools/list` whose texts a model may read."""

    PROMPTS = "prompts"
    RESOURCES = "resources"
    TEMPLATES = "resourceTemplates"


@dataclass(frozen=True, slots=True)
class Listed:
    """What became of a list. `problem`: in one clause what is wrong with its answer, None if nothing is.

    `whole`: all of it was read. `ours`: where it was not, that is for a limit of ours.
    """

    items: tuple[Json, ...] = ()
    problem: str | None = None
    whole: bool = True
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Definitions:
    """All definitions of one server, frozen.

    `tools` are the entries of `tools/list` that rules read: objects of at most 64 levels. `all_tools` are all
    entries in their order, `deep` the labels of those that are nested deeper. `instructions_known` is False
    for a saved list without them. `protocol` is the revision that was agreed on, None where nobody knows.
    `others` maps prompts, resources and templates to what was listed; an absent one was not asked for.
    """

    tools: tuple[ToolDefinition, ...]
    all_tools: tuple[ToolDefinition, ...]
    deep: tuple[str, ...] = ()
    listing: Listed = field(default_factory=Listed)
    instructions: str | None = None
    instructions_known: bool = True
    others: Mapping[ListKind, Listed] = field(default_factory=dict)
    server: ServerIdentity = field(default_factory=ServerIdentity)
    protocol: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all tools that have one, in their order."""
        return tuple(tool.name for tool in self.tools if tool.name is not None)


def make_definitions(
    listing: Listed,
    *,
    instructions: str | None = None,
    instructions_known: bool = True,
    others: Mapping[ListKind, Listed] | None = None,
    server: ServerIdentity | None = None,
    protocol: str | None = None,
) -> Definitions:
    """Freeze what was read; too deep entries and those that are no objects are set apart."""
    entries = read_tools(listing.items)
    deep = {tool.label for tool in entries if depth(tool.raw, DEPTH_BOUND) > DEPTH_BOUND}
    kept = tuple(
        ToolDefinition(frozen(tool.raw), tool.label)
        for tool in entries
        if isinstance(tool.raw, dict) and depth(tool.raw, DEPTH_BOUND) <= DEPTH_BOUND
    )
    return Definitions(
        tools=kept,
        all_tools=entries,
        deep=tuple(sorted(deep)),
        listing=listing,
        instructions=instructions,
        instructions_known=instructions_known,
        others={
            kind: Listed(_shallow(one.items), one.problem, one.whole, one.ours)
            for kind, one in (others or {}).items()
        },
        server=server or ServerIdentity(),
        protocol=protocol,
    )


def _shallow(items: Sequence[Json]) -> tuple[Json, ...]:
    """Freeze the entries of a list; of one that is too deep, what it is called stays."""
    return tuple(frozen(item) if depth(item, DEPTH_BOUND) <= DEPTH_BOUND else None for item in items)
