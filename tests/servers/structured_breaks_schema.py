"""Fidelity: the structured content is of another type than the output schema says."""

import mini

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}


class AgeServer(mini.Server):
    def call(self, tool: mini.Tool, arguments: mini.Json) -> mini.Json:
        age = {"name": arguments["name"], "age": "36 years" if mini.PLANTED else 36.0}
        return {**super().call(tool, arguments), "structuredContent": age}


AGE = mini.Tool(
    "get_age",
    "Return the age of a person.",
    lambda arguments: f"{arguments['name']} is 36 years old.",
    {"name": mini.NAME},
    ("name",),
    {"outputSchema": SCHEMA},
)

AgeServer(AGE).run()
