"""Framing: an empty line follows each message."""

import mini


class SpaciousServer(mini.Server):
    def send(self, message: object) -> None:
        super().send(message)
        if mini.PLANTED:
            self.write(b"\n")


SpaciousServer().run()
