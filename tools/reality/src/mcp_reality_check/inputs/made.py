"""The input of each call: a pure function of definition, seed and what earlier answers gave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mcp_check_core.inputs.absence import SOURCE as CANNOT_EXIST
from mcp_check_core.inputs.absence import Absence
from mcp_check_core.inputs.arguments import (
    InputSchema,
    Made,
    NotMade,
    Recipe,
    make_arguments,
    read_input_schema,
)
from mcp_check_core.inputs.filling import Fill
from mcp_check_core.inputs.harvest import Harvest
from mcp_check_core.inputs.places import pointer
from mcp_check_core.inputs.realism import Realism
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition
from mcp_reality_check.facts.call import Input


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the surroundings when arguments are made: answers so far, files that are there."""

    seed: int = 0
    harvest: Harvest = field(default_factory=Harvest)
    samples: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Prepared:
    """The realistic arguments of a tool, with what others are made from."""

    tool: ToolDefinition
    schema: InputSchema
    made: Made

    @property
    def input(self) -> Input:
        """The arguments, and the source of each value."""
        return as_input(self.made)

    def absent(self, known: Known) -> Input | None:
        """Ask for something that cannot exist; None where no argument names a thing."""
        advice = Absence(Realism(self.tool, known.harvest, known.samples))
        made = make_arguments(self.schema, Recipe(Fill.TYPICAL, _seed(self.tool, known, 0), advice))
        if isinstance(made, NotMade) or all(source.source != CANNOT_EXIST for source in made.sources):
            return None
        return as_input(made)

    def other(self, known: Known) -> Input | None:
        """Give other values of the same kind; None where there is nothing to vary."""
        made = make_arguments(self.schema, _recipe(self.tool, known, 1))
        if isinstance(made, NotMade) or made.value == self.made.value:
            return None
        return as_input(made)


def prepare(tool: ToolDefinition, known: Known) -> Prepared | NotMade:
    """Make realistic arguments for a tool, or say why there are none. Never raises."""
    schema = read_input_schema(tool.input_schema)
    made = make_arguments(schema, _recipe(tool, known, 0))
    return made if isinstance(made, NotMade) else Prepared(tool, schema, made)


def _recipe(tool: ToolDefinition, known: Known, variation: int) -> Recipe:
    advice = Realism(tool, known.harvest, known.samples, variation)
    return Recipe(Fill.TYPICAL, _seed(tool, known, variation), advice)


def _seed(tool: ToolDefinition, known: Known, variation: int) -> str:
    return f"{known.seed}/{tool.name}/{variation}"


def as_input(made: Made) -> Input:
    """Give the arguments, and the source of each value by its pointer."""
    sources: dict[str, str] = {}
    for source in made.sources:
        if source.path:
            sources[pointer(source.path)] = source.source
    arguments: dict[str, Json] = dict(made.value)
    return Input(arguments, sources)
