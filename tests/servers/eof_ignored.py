"""B30: the process stays when stdin has ended, for a background job keeps it (here, for a minute at most)."""

import threading

import mini


class LingeringServer(mini.Server):
    def ended(self) -> None:
        if mini.PLANTED:
            threading.Event().wait(60)


LingeringServer().run()
