"""Fidelity: a refusal in Spanish comes back as a success."""

import mini


def translate_menu(arguments: mini.Json) -> str:
    if mini.PLANTED:
        return "Lo siento, pero no puedo ayudarte con esa solicitud."
    return f"Hoy hay sopa de lentejas en {arguments['name']}."


mini.Server(
    mini.Tool(
        "translate_menu",
        "Return the dish of the day of a restaurant, in Spanish.",
        translate_menu,
        {"name": mini.NAME},
        ("name",),
    )
).run()
