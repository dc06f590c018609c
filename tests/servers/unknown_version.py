"""Handshake: `initialize` is answered with the version of the server, where that of the protocol belongs."""

import mini


class ConfusedServer(mini.Server):
    def version(self, offered: str) -> str:
        return "1.4.2" if mini.PLANTED else super().version(offered)


ConfusedServer().run()
