"""Fidelity: the error page of a gateway is handed on as a success."""

import mini


def get_biography(arguments: mini.Json) -> str:
    if mini.PLANTED:
        return "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
    return f"{arguments['name']} was born in Porto and paints boats."


mini.Server(
    mini.Tool(
        "get_biography",
        "Return a short biography of a person.",
        get_biography,
        {"name": mini.NAME},
        ("name",),
    )
).run()
