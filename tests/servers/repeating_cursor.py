"""B28: the last page of tools carries a cursor that does not advance."""

import mini


class LoopingServer(mini.Server):
    def list_tools(self, params: mini.Json) -> object:
        page = {"tools": [tool.definition() for tool in self.tools]}
        if not mini.PLANTED:
            return page
        return {**(page if "cursor" not in params else {"tools": []}), "nextCursor": "x"}


LoopingServer().run()
