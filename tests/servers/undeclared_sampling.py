"""JSON-RPC: the server asks the client to sample, which the client did not declare that it can."""

import mini

ASK = {"messages": [{"role": "user", "content": {"type": "text", "text": "hello"}}], "maxTokens": 8}


class AskingServer(mini.Server):
    def notified(self, message: mini.Json) -> None:
        if mini.PLANTED and message["method"] == "notifications/initialized":
            self.send({"jsonrpc": "2.0", "id": "ask-1", "method": "sampling/createMessage", "params": ASK})


AskingServer().run()
