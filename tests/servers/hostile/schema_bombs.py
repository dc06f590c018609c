"""Definitions made to break a generator, beside one tool of which a defect can still be found."""

import frame


def bomb(name: str, schema: object) -> frame.Json:
    """Return the definition of a read-only tool with any input schema at all."""
    return {
        "name": name,
        "description": "A bomb.",
        "inputSchema": schema,
        "annotations": {"readOnlyHint": True},
    }


def taking(schema: object) -> frame.Json:
    """Return an input schema with one required property."""
    return {"type": "object", "properties": {"x": schema}, "required": ["x"]}


def nested(levels: int) -> frame.Json:
    """Return a schema of that many levels."""
    schema: frame.Json = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"x": schema}, "required": ["x"]}
    return schema


BOMBS = [
    bomb("min_length", taking({"type": "string", "minLength": 300_000_000})),
    bomb("min_items", taking({"type": "array", "minItems": 30_000_000, "items": {"type": "integer"}})),
    bomb("min_properties", taking({"type": "object", "minProperties": 30_000_000})),
    bomb("enum_object", taking({"enum": {"a": 1}})),
    bomb("enum_empty", taking({"enum": []})),
    bomb("type_empty", taking({"type": []})),
    bomb("type_number", taking({"type": 7})),
    bomb("any_of_text", taking({"anyOf": ["str"]})),
    bomb("schema_null", None),
    bomb("schema_text", "object"),
    bomb("schema_true", True),
    bomb("properties_list", {"type": "object", "properties": [{"x": 1}], "required": ["x"]}),
    bomb("required_text", {"type": "object", "properties": {"x": {"type": "string"}}, "required": "x"}),
    bomb("pattern_slow", taking({"type": "string", "pattern": "^(a+)+$", "minLength": 40})),
    bomb("pattern_broken", taking({"type": "string", "pattern": "((("})),
    bomb("self_reference", {**taking({"$ref": "#"}), "type": "object"}),
    bomb("remote_reference", taking({"$ref": "http://127.0.0.1:9/schema.json"})),
    bomb("deep", nested(150)),
    bomb("wide", taking({"enum": list(range(20_000))})),
    bomb("x" * 100_000, taking({"type": "string"})),
    bomb("limits_crossed", taking({"type": "integer", "minimum": 10, "maximum": -10})),
    {"description": "A tool without a name.", "inputSchema": {"type": "object"}},
    "not a tool",
]


class BombServer(frame.Server):
    def list_tools(self, params: frame.Json) -> object:
        return {"tools": [*BOMBS[:10], frame.GREET.definition(), *BOMBS[10:]]}

    def call_tool(self, params: frame.Json) -> object:
        if params.get("name") != "greet":
            return frame.error_result("x is not accepted")
        arguments = params.get("arguments")
        if isinstance(arguments, dict):
            arguments.setdefault("name", "nobody")
        return super().call_tool(params)


BombServer(frame.GREET).run()
