"""Start: the process ends with code 3 as soon as the handshake is done."""

import sys

import mini


class FragileServer(mini.Server):
    def notified(self, message: mini.Json) -> None:
        if mini.PLANTED:
            sys.exit(3)


FragileServer().run()
