"""Framing: each message is preceded by the Content-Length header of the language server protocol."""

import mini


class HeaderServer(mini.Server):
    def write(self, data: bytes) -> None:
        header = b"Content-Length: %d\r\n\r\n" % len(data) if mini.PLANTED else b""
        super().write(header + data)


HeaderServer().run()
