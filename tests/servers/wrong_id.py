"""JSON-RPC: the answer to one method carries an id that was never asked for."""

import mini


class CountingServer(mini.Server):
    def capabilities(self) -> mini.Json:
        return {"tools": {}, "resources": {}}

    def respond(self, request: mini.Json, outcome: mini.Json) -> None:
        if mini.PLANTED and request["method"] == "resources/list":
            request = {**request, "id": 7001}
        super().respond(request, outcome)


CountingServer().run()
