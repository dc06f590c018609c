"""Fidelity (field: B26): an output schema is declared and nothing structured returned."""

import mini

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}


class AgeServer(mini.Server):
    def call(self, tool: mini.Tool, arguments: mini.Json) -> mini.Json:
        result = super().call(tool, arguments)
        age = {"name": arguments["name"], "age": 36}
        return result if mini.PLANTED else {**result, "structuredContent": age}


AGE = mini.Tool(
    "get_age",
    "Return the age of a person.",
    lambda arguments: f"{arguments['name']} is 36 years old.",
    {"name": mini.NAME},
    ("name",),
    {"outputSchema": SCHEMA},
)

AgeServer(AGE).run()
