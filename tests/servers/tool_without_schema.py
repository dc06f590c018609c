"""Tools: a tool has no input schema, and SDK clients refuse the whole list."""

import mini

STATUS = mini.Tool("status", "Tell how the service is.", lambda _: "All is well.")


class BareServer(mini.Server):
    def list_tools(self, params: mini.Json) -> object:
        definition = STATUS.definition()
        if mini.PLANTED:
            del definition["inputSchema"]
        return {"tools": [definition]}


BareServer(STATUS).run()
