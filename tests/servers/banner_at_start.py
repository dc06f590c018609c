"""B01: the server prints its version on stdout before the first frame."""

import sys

import mini


class BannerServer(mini.Server):
    def started(self) -> None:
        print("Zoo MCP server 1.0.0 ready", file=sys.stdout if mini.PLANTED else sys.stderr, flush=True)


BannerServer().run()
