"""Internal error: the cause was to follow a colon, and the exception had no words."""

import mini


class ColonServer(mini.Server):
    def fault(self, tool: mini.Tool, arguments: mini.Json) -> str | None:
        wrong = super().fault(tool, arguments)
        return "Error processing greeting: " if wrong and mini.PLANTED else wrong


ColonServer(mini.GREET).run()
