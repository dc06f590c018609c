"""Asks the client 20,000 things, without waiting, before the answer to `tools/list`, and reads no answer."""

import frame

LINE = b'{"jsonrpc":"2.0","id":"ask-%d","method":"ping"}\n'


class AskingServer(frame.Server):
    def list_tools(self, params: frame.Json) -> object:
        self.write(b"".join(LINE % number for number in range(20_000)))
        return super().list_tools(params)


AskingServer().run()
