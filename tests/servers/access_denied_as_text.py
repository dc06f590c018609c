"""Fidelity: a refusal of access is the whole answer of a success."""

import mini


def get_salary(arguments: mini.Json) -> str:
    return "Access denied" if mini.PLANTED else f"{arguments['name']} earns 3,000 a month."


mini.Server(
    mini.Tool("get_salary", "Return the salary of a person.", get_salary, {"name": mini.NAME}, ("name",))
).run()
