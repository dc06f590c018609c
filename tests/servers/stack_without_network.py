"""Internal error: a network that is missing is answered with a printed stack."""

import mini

STACK = """Failed to fetch: getaddrinfo ENOTFOUND weather.invalid
    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:118:26)
    at async forecast (/srv/weather/dist/index.js:42:13)"""


class OfflineServer(mini.Server):
    def fault(self, tool: mini.Tool, arguments: mini.Json) -> str | None:
        place = arguments.get("place")
        if place is None or isinstance(place, str):
            return super().fault(tool, arguments)
        return STACK if mini.PLANTED else STACK.partition("\n")[0]


FORECAST = mini.Tool(
    "get_forecast",
    "Return the weather of tomorrow in a place; what is not in the cache is asked of a service.",
    lambda arguments: f"Mild in {arguments['place']}.",
    {"place": {"type": "string", "description": "The name of a place."}},
    ("place",),
)
OfflineServer(FORECAST).run()
