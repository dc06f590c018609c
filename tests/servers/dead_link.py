"""Fidelity: a link to a resource that the server cannot read."""

import mini

KNOWN = "zoo://greeting"


class LinkServer(mini.Server):
    def capabilities(self) -> mini.Json:
        return {"tools": {}, "resources": {}}

    def result(self, method: str, params: object) -> object:
        if method == "resources/read" and isinstance(params, dict):
            if params.get("uri") != KNOWN:
                raise mini.RpcError(-32002, "Resource not found")
            return {"contents": [{"uri": KNOWN, "mimeType": "text/plain", "text": "Good morning!"}]}
        return super().result(method, params)

    def call(self, tool: mini.Tool, arguments: mini.Json) -> mini.Json:
        uri = "zoo://greetings/1" if mini.PLANTED else KNOWN
        return {"content": [{"type": "resource_link", "uri": uri, "name": "greeting"}]}


LINK = mini.Tool("find_greeting", "Find the greeting of the day.", lambda arguments: "")

LinkServer(LINK).run()
