"""Crash: the fourth call of a process ends it, whatever it is; alone on a fresh server no call does."""

import sys

import mini

PROPERTIES = dict.fromkeys(("x", "y", "z"), mini.INTEGER)


class LeakingServer(mini.Server):
    calls = 0

    def call_tool(self, params: mini.Json) -> object:
        self.calls += 1
        if mini.PLANTED and self.calls == 4:
            sys.exit("out of handles")
        return super().call_tool(params)


NORM = mini.Tool(
    "norm",
    "Return the squared length of a vector.",
    lambda arguments: str(sum(arguments[name] ** 2 for name in PROPERTIES)),
    PROPERTIES,
    tuple(PROPERTIES),
)

LeakingServer(NORM).run()
