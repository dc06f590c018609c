"""Accepted: a required argument may be left out, and the call succeeds without it (field: Q04)."""

import mini


class LenientServer(mini.Server):
    def fault(self, tool: mini.Tool, arguments: mini.Json) -> str | None:
        if mini.PLANTED:
            arguments.setdefault("name", "")
        return super().fault(tool, arguments)


LenientServer(mini.GREET).run()
