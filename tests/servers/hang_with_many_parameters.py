"""Hang: a tool with twelve parameters never answers; called for each of them, it would take minutes."""

import time

import mini

PROPERTIES = {
    f"option_{letter}": {"type": "string", "description": "An option."} for letter in "abcdefghijkl"
}


class WaitingServer(mini.Server):
    def call_tool(self, params: mini.Json) -> object:
        if mini.PLANTED:
            time.sleep(60)
        return super().call_tool(params)


RENDER = mini.Tool("render", "Render a page.", lambda _: "Rendered.", PROPERTIES, tuple(PROPERTIES))

WaitingServer(RENDER).run()
