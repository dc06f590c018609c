"""A tool definition as a server listed it, whatever its shape."""

from collections.abc import Sequence
from dataclasses import dataclass

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json

NAME_BOUND = 200
"""Characters of a tool's name that we show; the whole name is used for calls."""


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """One entry of `tools/list`. Every member may be of any type; nothing is corrected.

    `label` names the tool in reports: its bounded name, or `#3` for the third entry if it has none.
    """

    raw: Json
    label: str

    @property
    def fields(self) -> dict[str, Json]:
        """The members; empty where the entry is no object."""
        return self.raw if isinstance(self.raw, dict) else {}

    @property
    def name(self) -> str | None:
        """The name, if it is a string that is not empty."""
        name = self.fields.get("name")
        return name if isinstance(name, str) and name else None

    @property
    def description(self) -> str | None:
        """The description, if it is a string."""
        text = self.fields.get("description")
        return text if isinstance(text, str) else None

    @property
    def input_schema(self) -> Json:
        """The input schema as it came; None where there is none."""
        return self.fields.get("inputSchema")

    @property
    def annotations(self) -> dict[str, Json]:
        """The annotations; empty where they are absent or no object."""
        annotations = self.fields.get("annotations")
        return annotations if isinstance(annotations, dict) else {}

    @property
    def read_only(self) -> bool:
        """Whether the tool says `readOnlyHint: true`; an untrusted hint."""
        return self.annotations.get("readOnlyHint") is True

    @property
    def properties(self) -> dict[str, Json]:
        """The input schema's properties; empty where they are absent or no object."""
        schema = self.input_schema
        properties = schema.get("properties") if isinstance(schema, dict) else None
        return properties if isinstance(properties, dict) else {}

    @property
    def required(self) -> tuple[str, ...]:
        """The names in the input schema's `required`; what is no string there is left out."""
        schema = self.input_schema
        required = schema.get("required") if isinstance(schema, dict) else None
        return tuple(name for name in required if isinstance(name, str)) if isinstance(required, list) else ()


def read_tools(items: Sequence[Json]) -> tuple[ToolDefinition, ...]:
    """Wrap the entries of `tools/list`, in their order."""
    return tuple(ToolDefinition(item, _label(item, number)) for number, item in enumerate(items, start=1))


def _label(item: Json, number: int) -> str:
    name = item.get("name") if isinstance(item, dict) else None
    return cut_text(name, NAME_BOUND) if isinstance(name, str) and name else f"#{number}"
