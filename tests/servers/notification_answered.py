"""B10: a notification is answered with an error."""

import mini


class AnsweringServer(mini.Server):
    def notified(self, message: mini.Json) -> None:
        if mini.PLANTED:
            error = {"code": mini.METHOD_NOT_FOUND, "message": f"Method not found: {message['method']}"}
            self.send({"jsonrpc": "2.0", "id": None, "error": error})


AnsweringServer().run()
