"""B23: an input schema refers to a definition that it does not have."""

import mini

TARGET: mini.Json = {"type": "string", "description": "Where to go."}
DEFINITIONS = {} if mini.PLANTED else {"$defs": {"Target": TARGET}}
SCHEMA: mini.Json = {"type": "object", "properties": {"target": {"$ref": "#/$defs/Target"}}, **DEFINITIONS}


class GoingServer(mini.Server):
    def fault(self, tool: mini.Tool, arguments: mini.Json) -> str | None:
        wrong = not isinstance(arguments.get("target", ""), str)
        return "argument target must be of type string" if wrong else None


GO = mini.Tool("go", "Go somewhere.", lambda _: "You are there.", extra={"inputSchema": SCHEMA})

GoingServer(GO).run()
