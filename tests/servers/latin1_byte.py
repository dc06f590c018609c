"""Encoding: a log message carries a file name in Latin-1, which is no UTF-8."""

import mini


class NamingServer(mini.Server):
    def capabilities(self) -> mini.Json:
        return {"tools": {}, "logging": {}}

    def notified(self, message: mini.Json) -> None:
        line = (
            '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"Café.txt"}}\n'
        )
        self.write(line.encode("latin-1" if mini.PLANTED else "utf-8"))


NamingServer().run()
