"""Noise: the server says good-bye on stdout when stdin has ended."""

import sys

import mini


class PoliteServer(mini.Server):
    def ended(self) -> None:
        print("Shutting down, bye", file=sys.stdout if mini.PLANTED else sys.stderr)


PoliteServer().run()
