"""B09: the id of a request comes back as another JSON type."""

import mini


class CoercingServer(mini.Server):
    def respond(self, request: mini.Json, outcome: mini.Json) -> None:
        if mini.PLANTED and request["method"] != "initialize":
            request = {**request, "id": str(request["id"])}
        super().respond(request, outcome)


CoercingServer(mini.GREET).run()
