"""Fidelity: the structured content has a member that a $ref in the output schema forbids."""

import mini

SCHEMA = {
    "type": "object",
    "properties": {"person": {"$ref": "#/$defs/person"}},
    "required": ["person"],
    "$defs": {
        "person": {
            "type": "object",
            "properties": {"name": {"type": "string", "minLength": 1}},
            "required": ["name"],
            "additionalProperties": False,
        }
    },
}


class PersonServer(mini.Server):
    def call(self, tool: mini.Tool, arguments: mini.Json) -> mini.Json:
        person = {"name": arguments["name"]} | ({"_id": 7} if mini.PLANTED else {})
        return {**super().call(tool, arguments), "structuredContent": {"person": person}}


PERSON = mini.Tool(
    "get_person",
    "Return a person.",
    lambda arguments: f"The person is {arguments['name']}.",
    {"name": mini.NAME},
    ("name",),
    {"outputSchema": SCHEMA},
)

PersonServer(PERSON).run()
