"""B28: the list of resources has a next page for ever, each under a new cursor."""

import mini


class EndlessServer(mini.Server):
    def capabilities(self) -> mini.Json:
        return {"tools": {}, "resources": {}}

    def list_resources(self, params: mini.Json) -> object:
        page = int(params.get("cursor", "0"))
        last = 2
        resources = [{"uri": f"zoo://page/{page}", "name": f"page {page}"}]
        more = {"nextCursor": str(page + 1)} if mini.PLANTED or page < last else {}
        return {"resources": resources, **more}


EndlessServer().run()
