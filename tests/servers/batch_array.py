"""Framing: two notifications are sent as one batch, in a protocol version that has none."""

import mini

NOTES = [
    {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "cache warm"}},
    {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "index warm"}},
]


class BatchingServer(mini.Server):
    def capabilities(self) -> mini.Json:
        return {"tools": {}, "logging": {}}

    def notified(self, message: mini.Json) -> None:
        for frame in [NOTES] if mini.PLANTED else NOTES:
            self.send(frame)


BatchingServer().run()
