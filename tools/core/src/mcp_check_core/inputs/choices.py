"""The ordered table of realistic values, read from its data file."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from mcp_check_core.inputs.words import suffixes
from mcp_check_core.model.json_value import Json

DESCRIPTION = 500
"""Characters of a description that are read."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One row: for which names or phrases, for which tools, and the values; see the data file."""

    source: str
    names: tuple[str, ...]
    says: tuple[str, ...]
    tools: frozenset[str]
    values: tuple[Json, ...]
    sample: str | None


@dataclass(frozen=True, slots=True)
class Choices:
    """The rows in their order, an index of their names, and the forms that a description may ask for."""

    rows: tuple[Choice, ...]
    by_name: Mapping[tuple[str, ...], tuple[int, ...]]
    asked: tuple[Choice, ...]

    def row(self, source: str) -> Choice | None:
        """Give the first row of a source."""
        return next((row for row in self.rows if row.source == source), None)

    def named(self, found: Sequence[str], tool: frozenset[str]) -> list[Choice]:
        """List the rows whose names a name ends with: those of the longest end first, then in their order."""
        numbers = [number for end in suffixes(found) for number in self.by_name.get(end, ())]
        return [
            row for row in (self.rows[number] for number in dict.fromkeys(numbers)) if _of_tool(row, tool)
        ]

    def described(self, description: str, tool: frozenset[str]) -> list[Choice]:
        """List the rows that a description speaks of, in their order."""
        text = description[:DESCRIPTION].lower()
        said = [row for row in self.rows if any(phrase in text for phrase in row.says)]
        return [row for row in said if _of_tool(row, tool)]

    def asked_for(self, description: str) -> list[Choice]:
        """List the forms that a description asks for, in their order."""
        text = description[:DESCRIPTION].lower()
        return [form for form in self.asked if any(phrase in text for phrase in form.says)]


def _of_tool(row: Choice, tool: frozenset[str]) -> bool:
    return not row.tools or not row.tools.isdisjoint(tool)


@cache
def choices() -> Choices:
    """Read the table; it is part of the package."""
    data = tomllib.loads((files(__package__) / "data" / "realistic.toml").read_text("utf-8"))
    rows = tuple(_row(item) for item in data["choice"])
    by_name: dict[tuple[str, ...], tuple[int, ...]] = {}
    for number, row in enumerate(rows):
        for name in row.names:
            key = tuple(name.split())
            by_name[key] = (*by_name.get(key, ()), number)
    return Choices(rows, by_name, tuple(_form(item) for item in data["asked"]))


def _row(item: dict[str, Any]) -> Choice:
    return Choice(
        source=item["source"],
        names=tuple(item.get("names", ())),
        says=tuple(item.get("says", ())),
        tools=frozenset(item.get("tools", ())),
        values=(*item.get("texts", ()), *item.get("numbers", ())),
        sample=item.get("sample"),
    )


def _form(item: dict[str, Any]) -> Choice:
    phrases = tuple(item["phrases"])
    values = (*item.get("texts", ()), *item.get("numbers", ()))
    return Choice(phrases[0], (), phrases, frozenset(), values, None)
