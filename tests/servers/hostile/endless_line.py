"""300 MB on stdout without a newline, made as it is sent, before anything is read."""

import frame


class EndlessServer(frame.Server):
    def started(self) -> None:
        part = b"x" * frame.MIB
        for _ in range(300):
            self.write(part)


EndlessServer().run()
