"""Crash: an argument of another type raises an AttributeError that nothing catches, and the process dies."""

import mini

SHOUT = mini.Tool(
    "shout",
    "Return a text in capitals.",
    lambda arguments: arguments["text"].upper(),
    {"text": {"type": "string", "description": "What to shout."}},
    ("text",),
)


class UncheckedServer(mini.Server):
    def fault(self, tool: mini.Tool, arguments: mini.Json) -> str | None:
        if mini.PLANTED and "text" in arguments:
            return None
        return super().fault(tool, arguments)


UncheckedServer(SHOUT).run()
