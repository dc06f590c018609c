"""Fidelity: JSON text ends in the middle."""

import json

import mini


def get_address(arguments: mini.Json) -> str:
    text = json.dumps({"name": arguments["name"], "street": "Harbor Street 12", "city": "Lisbon"})
    return text[: len(text) // 2] if mini.PLANTED else text


mini.Server(
    mini.Tool(
        "get_address", "Return the address of a person as JSON.", get_address, {"name": mini.NAME}, ("name",)
    )
).run()
