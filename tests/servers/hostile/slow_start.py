"""Takes 8 s to start, and is clean after that: slow, and not broken."""

import time

import frame


class SlowServer(frame.Server):
    def started(self) -> None:
        time.sleep(8)


SlowServer().run()
