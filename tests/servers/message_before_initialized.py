"""Handshake: the server says that its tools changed before the client has said that it is ready."""

import mini


class ImpatientServer(mini.Server):
    def requested(self, request: mini.Json) -> None:
        super().requested(request)
        if mini.PLANTED and request["method"] == "initialize":
            self.notify("notifications/tools/list_changed", {})

    def capabilities(self) -> mini.Json:
        return {"tools": {"listChanged": True}}


ImpatientServer().run()
