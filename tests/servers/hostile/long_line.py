"""One line of 20 MB on stdout before the first frame."""

import frame


class LongServer(frame.Server):
    def started(self) -> None:
        for _ in range(20):
            self.write(b"x" * 1_000_000)
        self.write(b"\n")


LongServer().run()
