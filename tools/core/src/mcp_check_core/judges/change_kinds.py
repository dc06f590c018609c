"""The kinds of change of a tool list, and what each weighs on both scales."""

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from mcp_check_core.model.finding import Severity
from mcp_check_core.model.json_value import Json


class ChangeKind(StrEnum):
    """What changed."""

    DESCRIPTION = "description_changed"
    TITLE = "title_changed"
    SCHEMA_TEXT = "schema_text_changed"
    INSTRUCTIONS = "instructions_changed"
    INSTRUCTIONS_REMOVED = "instructions_removed"
    INSTRUCTIONS_UNCHECKED = "instructions_unchecked"
    SCHEMA_WIDENED = "schema_widened"
    SCHEMA = "schema_changed"
    OUTPUT_SCHEMA = "output_schema_changed"
    ANNOTATIONS = "annotations_changed"
    TOOL_ADDED = "tool_added"
    TOOL_REMOVED = "tool_removed"
    TOOL_RENAMED = "tool_renamed"
    DUPLICATE_TOOL = "duplicate_tool"
    META = "meta_changed"
    DEFINITION = "definition_changed"
    SERVER = "server_changed"
    PACKAGE = "package_changed"


class Band(StrEnum):
    """The second scale."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    INFORMATIONAL = "informational"

    @property
    def rank(self) -> int:
        """Order for comparison, 0 for the worst."""
        return tuple(Band).index(self)


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `pointer` is a JSON pointer into the tool's definition, empty for the whole tool.

    `variant` refines the kind where its weight depends on more (`quiet`, `safer`, …). `before` and `after`
    are the values at the pointer, bounded, None where there was none; `excerpt` is the new text around it.
    """

    kind: ChangeKind
    tool: str | None
    pointer: str = ""
    variant: str | None = None
    before: Json = None
    after: Json = None
    excerpt: str | None = None

    @property
    def severity(self) -> Severity:
        """The weight on the lint scale."""
        return Severity(self._weight()["lint"])

    @property
    def band(self) -> Band:
        """The weight on the scale of bands."""
        return Band(self._weight()["band"])

    def _weight(self) -> dict[str, str]:
        name = f"{self.kind}.{self.variant}" if self.variant else str(self.kind)
        weight: dict[str, str] = _data()["changes"][name]
        return weight


@cache
def trigger_words() -> frozenset[str]:
    """Words that make an added tool, or a removed text, worth a look."""
    return frozenset(_data()["trigger"]["words"])


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("data/lock/changes.toml").read_text(encoding="utf-8"))
