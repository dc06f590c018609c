"""Internal error: a network that is missing is answered with a printed stack."""

import mini

STACK = """Failed to fetch: getaddrinfo ENOTFOUND weather.invalid
    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:118:26)
    at async forecast (/srv/weather/dist/index.js:42:13)"""


class OfflineServer(mini.Server):
    def call(self, tool: mini.Tool, arguments: mini.Json) -> object:
        return mini.error_result(STACK if mini.PLANTED else STACK.partition("\n")[0])


FORECAST = mini.Tool(
    "get_forecast",
    "Return tomorrow's weather in a place.",
    lambda arguments: "",
    {"place": {"type": "string", "description": "The name of a place."}},
    ("place",),
)
OfflineServer(FORECAST).run()
