"""Noise: the last message of the server, sent at the end of stdin, has no newline."""

import mini


class HastyServer(mini.Server):
    def capabilities(self) -> mini.Json:
        return {"tools": {}, "logging": {}}

    def ended(self) -> None:
        self.write(
            b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"bye"}}'
        )
        if not mini.PLANTED:
            self.write(b"\n")


HastyServer().run()
