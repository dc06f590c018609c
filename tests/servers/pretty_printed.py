"""Framing: the answer to `initialize` is indented over several lines, so no client can read it."""

import json

import mini


class PrettyServer(mini.Server):
    def send(self, message: object) -> None:
        if mini.PLANTED:
            self.write(json.dumps(message, indent=2).encode() + b"\n")
        else:
            super().send(message)


PrettyServer().run()
