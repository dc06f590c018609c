"""Fidelity (field: B18): the service says success: false, and the tool hands it on as a success."""

import json

import mini


def get_phone(arguments: mini.Json) -> str:
    if mini.PLANTED:
        return json.dumps({"success": False, "error": "the directory could not be read", "status": 500})
    return json.dumps({"name": arguments["name"], "phone": "555-0100"})


mini.Server(
    mini.Tool(
        "get_phone",
        "Return the telephone number of a person as JSON.",
        get_phone,
        {"name": mini.NAME},
        ("name",),
    )
).run()
