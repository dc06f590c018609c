"""Closes stdout after the handshake and keeps running, deaf to the end of stdin."""

import os
import threading

import frame


class ClosingServer(frame.Server):
    def notified(self, message: frame.Json) -> None:
        if message["method"] == "notifications/initialized":
            os.close(1)
            threading.Event().wait(frame.LIFE_S)


ClosingServer().run()
