"""Crash: a call is answered, and then the process ends."""

import os

import mini


class OneShotServer(mini.Server):
    def respond(self, request: mini.Json, outcome: mini.Json) -> None:
        super().respond(request, outcome)
        if mini.PLANTED and request["method"] == "tools/call":
            os._exit(1)


OneShotServer(mini.GREET).run()
