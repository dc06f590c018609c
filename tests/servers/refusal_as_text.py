"""Fidelity: a refusal comes back as a success."""

import mini


def get_calendar(arguments: mini.Json) -> str:
    if mini.PLANTED:
        return "I\u2019m sorry, but I don\u2019t have access to your calendar."
    return f"{arguments['date']}: breakfast with Ada, 9 o'clock."


mini.Server(
    mini.Tool(
        "get_calendar",
        "Return the events of a day.",
        get_calendar,
        {"date": {"type": "string", "description": "The day as YYYY-MM-DD."}},
        ("date",),
    )
).run()
