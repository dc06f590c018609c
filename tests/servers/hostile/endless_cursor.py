"""Every page of every list has a next page, under a new cursor and with new items."""

import frame


class EndlessServer(frame.Server):
    def capabilities(self) -> frame.Json:
        return {"tools": {}, "resources": {}, "prompts": {}}

    def list_tools(self, params: frame.Json) -> object:
        page = int(params.get("cursor", "0"))
        tools = [frame.GREET._replace(name=f"greet_{page}").definition()]
        return {"tools": tools, "nextCursor": str(page + 1)}

    def list_resources(self, params: frame.Json) -> object:
        page = int(params.get("cursor", "0"))
        return {"resources": [{"uri": f"zoo://{page}", "name": str(page)}], "nextCursor": str(page + 1)}

    def list_prompts(self, params: frame.Json) -> object:
        page = int(params.get("cursor", "0"))
        return {"prompts": [{"name": str(page)}], "nextCursor": str(page + 1)}


EndlessServer().run()
