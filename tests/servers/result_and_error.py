"""Malformed: the answer to a call has both a result and an error."""

import mini


class DoubtfulServer(mini.Server):
    def respond(self, request: mini.Json, outcome: mini.Json) -> None:
        if mini.PLANTED and request["method"] == "tools/call":
            outcome = {**outcome, "error": {"code": 0, "message": "ok"}}
        super().respond(request, outcome)


DoubtfulServer(mini.GREET).run()
