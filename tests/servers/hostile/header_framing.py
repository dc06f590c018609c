"""Frames every message as a language server does, with a header and without a newline at its end."""

import json

import frame


class HeaderServer(frame.Server):
    def send(self, message: object) -> None:
        body = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))


HeaderServer().run()
