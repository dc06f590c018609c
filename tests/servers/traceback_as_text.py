"""Internal error: a missing argument is answered with the text of a traceback."""

import traceback

import mini


class TracingServer(mini.Server):
    def call_tool(self, params: mini.Json) -> object:
        try:
            return super().call_tool(params)
        except KeyError:
            return mini.error_result(traceback.format_exc())

    def fault(self, tool: mini.Tool, arguments: mini.Json) -> str | None:
        if mini.PLANTED:
            arguments[tool.required[0]]
        return super().fault(tool, arguments)


TracingServer(mini.GREET).run()
