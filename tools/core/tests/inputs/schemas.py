"""What the tests of inputs share: tools, arguments of one property, the oracle, the recorded tool lists."""

import json
from pathlib import Path
from typing import Any

import jsonschema
from jsonschema.protocols import Validator

from mcp_check_core.inputs.arguments import (
    InputSchema,
    Made,
    NotMade,
    Recipe,
    make_arguments,
    read_input_schema,
)
from mcp_check_core.inputs.filling import Fill
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition, read_tools

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"


def tool(schema: Json, name: str = "t", description: str = "") -> ToolDefinition:
    return read_tools([{"name": name, "description": description, "inputSchema": schema}])[0]


def taking(schema: Json, *, required: bool = True) -> dict[str, Json]:
    """Return a schema of arguments with one property `x`."""
    return {
        "type": "object",
        "properties": {"x": schema},
        "required": ["x"] if required else [],
    }


def make(schema: Json, fill: Fill = Fill.FULL, seed: str = "0") -> tuple[InputSchema, Made | NotMade]:
    inputs = read_input_schema(schema)
    return inputs, make_arguments(inputs, Recipe(fill, seed))


def made(schema: Json, fill: Fill = Fill.FULL, seed: str = "0") -> Made:
    _, found = make(schema, fill, seed)
    assert isinstance(found, Made), found
    return found


def oracle(schema: Json, *, formats: bool = False) -> Validator:
    """Return the independent validator of a schema; 2020-12 where it names no dialect."""
    assert isinstance(schema, dict | bool)
    cls: type[Validator] = jsonschema.validators.validator_for(
        schema, default=jsonschema.Draft202012Validator
    )
    return cls(schema, format_checker=jsonschema.FormatChecker() if formats else None)


def recorded(corpus: Path) -> list[ToolDefinition]:
    documents = (json.loads(path.read_text("utf-8")) for path in sorted(corpus.glob("*.json")))
    return [item for document in documents for item in read_tools(document.get("tools", []))]


def recorded_schemas(corpus: Path) -> list[dict[str, Any]]:
    """Return every input and output schema of the recorded tools."""
    found = (item.fields.get(key) for item in recorded(corpus) for key in ("inputSchema", "outputSchema"))
    return [schema for schema in found if isinstance(schema, dict)]
