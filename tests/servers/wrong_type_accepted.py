"""Accepted: an argument of another type is taken as it is, and the call succeeds."""

import mini


class LenientServer(mini.Server):
    def fault(self, tool: mini.Tool, arguments: mini.Json) -> str | None:
        if mini.PLANTED and "name" in arguments:
            return None
        return super().fault(tool, arguments)


LenientServer(mini.GREET).run()
