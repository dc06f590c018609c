"""B06: `initialize` echoes whatever version the client asks for, also one that nobody speaks."""

import mini


class EchoingServer(mini.Server):
    def version(self, offered: str) -> str:
        return offered if mini.PLANTED else super().version(offered)


EchoingServer().run()
