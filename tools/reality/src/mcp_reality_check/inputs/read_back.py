"""Arguments of a read that asks for what was written before."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mcp_check_core.inputs.advice import Hint
from mcp_check_core.inputs.arguments import NotMade, Recipe, make_arguments, read_input_schema
from mcp_check_core.inputs.filling import Fill
from mcp_check_core.inputs.harvest import Harvest
from mcp_check_core.inputs.places import Path
from mcp_check_core.inputs.realism import Realism
from mcp_check_core.inputs.resolve import Schema
from mcp_check_core.inputs.words import path_words
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition
from mcp_check_core.model.tool_result import ToolResult
from mcp_reality_check.facts.call import Input
from mcp_reality_check.facts.writing import written_values
from mcp_reality_check.inputs.made import Known, as_input

SOURCE = "what was written"
_SEARCHES = frozenset(("query", "q", "search", "keyword", "term", "text", "filter"))


@dataclass(frozen=True, slots=True)
class _Written:
    """Advises what was written under the same name, the first text of it to search for, else what is real."""

    arguments: Mapping[str, Json]
    realism: Realism

    def __call__(self, path: Path, schema: Schema) -> Iterator[Hint]:
        last = path[-1] if path else None
        if isinstance(last, str) and last in self.arguments:
            yield Hint(self.arguments[last], SOURCE)
        found = path_words(path)
        if found and found[-1] in _SEARCHES:
            yield from (Hint(text, SOURCE) for text in written_values(self.arguments)[:1])
        yield from self.realism(path, schema)


def ids_of(tool: ToolDefinition, answer: ToolResult) -> tuple[str, ...]:
    """List the ids in the answer to a write, by which a read may show the thing too."""
    return tuple(str(item.value) for item in Harvest().plus(tool, answer).values if len(str(item.value)) > 1)


def read_back(
    reader: ToolDefinition,
    writer: ToolDefinition,
    arguments: Mapping[str, Json],
    answer: ToolResult,
    known: Known,
) -> Input | None:
    """Make the arguments by which a tool should show what another one wrote; None where none can be made.

    Ids in the answer to the write come before those that were seen earlier.
    """
    fresh = Harvest().plus(writer, answer)
    harvest = Harvest((*fresh.values, *known.harvest.values))
    advice = _Written(arguments, Realism(reader, harvest, known.samples))
    recipe = Recipe(Fill.TYPICAL, f"{known.seed}/{reader.name}/read-back", advice)
    made = make_arguments(read_input_schema(reader.input_schema), recipe)
    return None if isinstance(made, NotMade) else as_input(made)
