"""Internal error: a missing argument is answered with the JSON-RPC error -32603 in place of a refusal."""

import mini


class UncheckedServer(mini.Server):
    def call_tool(self, params: mini.Json) -> object:
        try:
            return super().call_tool(params)
        except KeyError as error:
            raise mini.RpcError(mini.INTERNAL_ERROR, "Internal error") from error

    def fault(self, tool: mini.Tool, arguments: mini.Json) -> str | None:
        if mini.PLANTED:
            arguments[tool.required[0]]
        return super().fault(tool, arguments)


UncheckedServer(mini.GREET).run()
