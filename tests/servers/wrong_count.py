"""Fidelity: a list is counted wrong."""

import json

import mini


def list_pets(arguments: mini.Json) -> str:
    pets = ["a cat", "a tortoise"]
    count = 3 if mini.PLANTED else len(pets)
    return json.dumps({"owner": arguments["name"], "count": count, "pets": pets})


mini.Server(
    mini.Tool("list_pets", "List the pets of a person as JSON.", list_pets, {"name": mini.NAME}, ("name",))
).run()
