"""Silence: the server takes `initialize` in and never answers it."""

import mini


class SilentServer(mini.Server):
    def requested(self, request: mini.Json) -> None:
        if mini.PLANTED and request["method"] == "initialize":
            return
        super().requested(request)


SilentServer().run()
