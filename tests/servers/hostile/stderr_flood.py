"""50 MB on stderr at start, and a clean wire: noisy, and no defect."""

import sys

import frame

LINE = b"debug: " + b"." * 992 + b"\n"


class NoisyServer(frame.Server):
    def started(self) -> None:
        for _ in range(50):
            sys.stderr.buffer.write(LINE * 1_000)
        sys.stderr.buffer.flush()


NoisyServer().run()
