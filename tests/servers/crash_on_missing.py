"""Crash: a missing argument raises a KeyError that nothing catches, and the process dies."""

import mini


class UncheckedServer(mini.Server):
    def fault(self, tool: mini.Tool, arguments: mini.Json) -> str | None:
        if mini.PLANTED:
            arguments[tool.required[0]]
        return super().fault(tool, arguments)


UncheckedServer(mini.GREET).run()
