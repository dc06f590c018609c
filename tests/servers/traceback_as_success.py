"""Fidelity: a traceback is returned as a success."""

import traceback

import mini


def get_birthday(arguments: mini.Json) -> str:
    try:
        birthdays = {} if mini.PLANTED else {arguments["name"]: "3 May"}
        return f"{arguments['name']} was born on {birthdays[arguments['name']]}."
    except KeyError:
        return traceback.format_exc()


mini.Server(
    mini.Tool(
        "get_birthday", "Return the birthday of a person.", get_birthday, {"name": mini.NAME}, ("name",)
    )
).run()
