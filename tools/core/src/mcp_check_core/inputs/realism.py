"""Advice for values as real as a schema allows: what was harvested, what is stated, what a name means."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from mcp_check_core.inputs.advice import Hint, examples
from mcp_check_core.inputs.choices import DESCRIPTION, Choice, choices
from mcp_check_core.inputs.harvest import Harvest
from mcp_check_core.inputs.limits import CannotMakeError
from mcp_check_core.inputs.places import Path
from mcp_check_core.inputs.resolve import Schema
from mcp_check_core.inputs.schema_parts import is_of_types, kind_to_make, types_of
from mcp_check_core.inputs.texts import FORMATS
from mcp_check_core.inputs.words import path_words, words
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition

_QUOTED = re.compile(
    r"(?:\be\.?g\.?|\bfor example|\bexamples?|\bsuch as|\blike)[:,]?[ ]{0,3}"
    r"(?:\"([^\"\n]{1,200})\"|'([^'\n]{1,200})'|`([^`\n]{1,200})`)",
    re.IGNORECASE,
)
_ENDS = frozenset(("end", "to", "until", "before", "max", "ends", "checkout", "arrival", "return"))
"""Words that name the later end of a span."""
_SEARCHES = frozenset(("search", "find", "query", "lookup", "look"))
_TIMES = 3
_PLAIN = ("sample", "example")
_SCALARS = ("string", "integer", "number")
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,10})?")
_ROWS = {"date": "date", "date-time": "date and time", "uri": "URL", "url": "URL", "email": "e-mail"}
"""Rows of the table that mean the same as a format."""


@dataclass(frozen=True)
class Realism:
    """What is known when arguments are made: the tool, values that its server gave, files that are there.

    `samples` names the paths of sample files by kind (see `sample_folder`). `variation` 1 and further give
    other values, for a second call.
    """

    tool: ToolDefinition
    harvest: Harvest = field(default_factory=Harvest)
    samples: Mapping[str, Sequence[str]] = field(default_factory=dict)
    variation: int = 0

    def __call__(self, path: Path, schema: Schema) -> Iterator[Hint]:
        """Give the values to try for a place, best first, each with its source."""
        for hint in self._hints(path, schema):
            shaped = _shaped(hint.value, types_of(schema))
            if shaped is not None:
                yield Hint(shaped, hint.source)

    @cached_property
    def tool_words(self) -> frozenset[str]:
        """The words of the tool's name and of the start of its description."""
        description = (self.tool.description or "")[:DESCRIPTION]
        return frozenset((*words(self.tool.name or ""), *words(description, DESCRIPTION)))

    def _hints(self, path: Path, schema: Schema) -> Iterator[Hint]:
        kind = _kind(schema)
        yield from _turn(list(examples(schema)), self.variation)
        if kind in _SCALARS:
            found = self.harvest.matching(self.tool, path)
            yield from _turn([Hint(item.value, item.source) for item in found], self.variation)
        default = schema.get("default")
        if self.variation == 0 and default not in (None, "", [], {}):
            yield Hint(default, "default")
        if kind in _SCALARS:
            yield from self._meant(path, schema)

    def _meant(self, path: Path, schema: Schema) -> Iterator[Hint]:
        """Give what description, format and name mean, in this order."""
        described = _text(schema.get("description"))
        found = path_words(path)
        late = bool(_ENDS.intersection(found))
        quoted = [Hint(text, "description: example") for text in _quoted(described)]
        yield from _turn(quoted, self.variation)
        for form in choices().asked_for(described):
            yield from self._values(form, "description", late)
        named = schema.get("format")
        if isinstance(named, str) and named in FORMATS:
            yield from self._formatted(named, late)
        for row in choices().named(found, self.tool_words):
            yield from self._values(row, "name", late)
        for row in choices().described(described, self.tool_words):
            yield from self._values(row, "description", late)
        yield from self._plain()

    def _formatted(self, form: str, late: bool) -> Iterator[Hint]:
        """Give a value for a format: of the row that means the same, else the one that every format has."""
        row = choices().row(_ROWS.get(form, ""))
        if row is not None:
            yield from self._values(row, "format", late)
        yield Hint(FORMATS[form], f"format: {form}")

    def _values(self, row: Choice, why: str, late: bool = False) -> Iterator[Hint]:
        """Give the values of a row, beginning with the one whose turn it is; numbers and texts turn apart.

        `late` takes the next one where the row holds times, which are three or more.
        """
        turn = self.variation + (late and len(row.values) >= _TIMES)
        source = f"{why}: {row.source}"
        paths = self.samples.get(row.sample, ()) if row.sample is not None else ()
        yield from (Hint(path, f"sample folder, {source}") for path in _turn(paths, turn))
        texts = [value for value in row.values if isinstance(value, str)]
        numbers = [value for value in row.values if not isinstance(value, str)]
        for values in (texts, numbers):
            yield from (Hint(value, source) for value in _turn(values, turn))

    def _plain(self) -> Iterator[Hint]:
        search = choices().row("search words")
        if search is not None and _SEARCHES.intersection(self.tool_words):
            yield from self._values(search, "tool")
        yield from (Hint(text, "plain") for text in _turn(_PLAIN, self.variation))


_Item = TypeVar("_Item")


def _turn(items: Sequence[_Item], turn: int) -> Iterator[_Item]:
    """Give all items, beginning with the one whose turn it is."""
    first = turn % len(items) if items else 0
    return iter((*items[first:], *items[:first]))


def _shaped(value: Json, kinds: Sequence[str]) -> Json:
    """Give a value in a type that is wanted, a number as text or a text as number; None for any other."""
    if not kinds or is_of_types(value, kinds):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool) and "string" in kinds:
        return str(value)
    if isinstance(value, str) and ("integer" in kinds or "number" in kinds) and _NUMBER.fullmatch(value):
        return int(value) if value.lstrip("-").isdecimal() else float(value)
    return None


def _quoted(description: str) -> list[str]:
    """List the examples that a description gives in quotes."""
    found = _QUOTED.finditer(description[:DESCRIPTION])
    return [next(text for text in match.groups() if text) for match in found]


def _kind(schema: Schema) -> str:
    try:
        return kind_to_make(schema)
    except CannotMakeError:
        return "string"


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
