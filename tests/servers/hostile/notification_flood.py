"""200,000 notifications before the answer to `tools/list`."""

import frame

LINE = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":"tick"}}\n'


class ChattyServer(frame.Server):
    def capabilities(self) -> frame.Json:
        return {"tools": {}, "logging": {}}

    def list_tools(self, params: frame.Json) -> object:
        for _ in range(200):
            self.write(LINE * 1_000)
        return super().list_tools(params)


ChattyServer().run()
