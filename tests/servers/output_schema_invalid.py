"""Tools: an output schema names a type that JSON Schema does not have."""

import mini

OUTPUT: mini.Json = {
    "type": "objekt" if mini.PLANTED else "object",
    "properties": {"healthy": {"type": "boolean"}},
    "required": ["healthy"],
}
STATUS = mini.Tool("status", "Tell how the service is.", lambda _: "", extra={"outputSchema": OUTPUT})


class StructuredServer(mini.Server):
    def call(self, tool: mini.Tool, arguments: mini.Json) -> object:
        return {**mini.text_result('{"healthy": true}'), "structuredContent": {"healthy": True}}


StructuredServer(STATUS).run()
