"""Every frame carries bytes that are no UTF-8: in the name of the server, in definitions, in results."""

import frame


class ByteServer(frame.Server):
    def write(self, data: bytes) -> None:
        super().write(
            data.replace(b"zoo", b"z\xff\xfe").replace(b"Hello", b"H\xc3\x28").replace(b"Add", b"\xe9dd")
        )


ByteServer().run()
