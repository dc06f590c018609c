"""Capability: resources are advertised, and their list is never answered."""

import mini


class SilentServer(mini.Server):
    def capabilities(self) -> mini.Json:
        return {"tools": {}, "resources": {}}

    def requested(self, request: mini.Json) -> None:
        if not (mini.PLANTED and request["method"] == "resources/list"):
            super().requested(request)


SilentServer().run()
