"""Fidelity: a tool that is not written yet answers with success."""

import mini


def get_family(arguments: mini.Json) -> str:
    return "This tool is not implemented yet." if mini.PLANTED else f"{arguments['name']} has two sisters."


mini.Server(
    mini.Tool("get_family", "Return the family of a person.", get_family, {"name": mini.NAME}, ("name",))
).run()
