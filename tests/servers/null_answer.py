"""Fidelity: a tool that reads answers null."""

import mini


def get_nickname(arguments: mini.Json) -> str:
    return "null" if mini.PLANTED else f"{arguments['name']} is called Star."


mini.Server(
    mini.Tool(
        "get_nickname", "Return the nickname of a person.", get_nickname, {"name": mini.NAME}, ("name",)
    )
).run()
