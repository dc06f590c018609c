"""B13: after one bad call, each later call fails with an internal error until the server is started anew."""

import mini


class PoisonedServer(mini.Server):
    broken = False

    def call_tool(self, params: mini.Json) -> object:
        if self.broken:
            raise mini.RpcError(mini.INTERNAL_ERROR, "Internal error: transaction is aborted")
        return super().call_tool(params)

    def fault(self, tool: mini.Tool, arguments: mini.Json) -> str | None:
        wrong = super().fault(tool, arguments)
        self.broken = mini.PLANTED and wrong is not None
        return wrong


PoisonedServer(mini.ADD).run()
