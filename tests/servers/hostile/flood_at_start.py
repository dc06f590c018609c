"""60 MB of log lines on stdout before the first frame."""

import frame

LINE = b"2026-01-01 00:00:00 starting " + b"." * 5_970 + b"\n"


class FloodingServer(frame.Server):
    def started(self) -> None:
        for _ in range(10_000):
            self.write(LINE)


FloodingServer().run()
