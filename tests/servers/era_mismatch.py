"""B08: `initialize` is answered with the revision that has no `initialize`."""

import mini


class FutureServer(mini.Server):
    def version(self, offered: str) -> str:
        return "2026-07-28" if mini.PLANTED else super().version(offered)


FutureServer().run()
