"""JSON-RPC: a response without a request is sent before each answer to `tools/list`."""

import mini


class EagerServer(mini.Server):
    def list_tools(self, params: mini.Json) -> object:
        if mini.PLANTED:
            self.send({"jsonrpc": "2.0", "id": 7001, "result": {}})
        return super().list_tools(params)


EagerServer().run()
