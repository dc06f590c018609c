"""Noise: a status line that is JSON, though no JSON-RPC, precedes the first frame."""

import mini


class ReadyServer(mini.Server):
    def started(self) -> None:
        if mini.PLANTED:
            self.send({"status": "ready", "tools": len(self.tools)})


ReadyServer().run()
