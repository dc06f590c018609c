"""Noise: a background job prints to stdout 200 ms after the handshake, when a short probe has looked away."""

import threading

import mini


class WarmingServer(mini.Server):
    def notified(self, message: mini.Json) -> None:
        if mini.PLANTED and message["method"] == "notifications/initialized":
            threading.Timer(0.2, self.write, (b"cache warmed: 12 entries\n",)).start()


WarmingServer().run()
