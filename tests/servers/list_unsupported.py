"""Capability: prompts are advertised, and their list method does not exist."""

import mini


class BoastfulServer(mini.Server):
    def capabilities(self) -> mini.Json:
        return {"tools": {}, "prompts": {}}

    def list_prompts(self, params: mini.Json) -> object:
        if mini.PLANTED:
            raise mini.RpcError(mini.METHOD_NOT_FOUND, "Method not found: prompts/list")
        return super().list_prompts(params)


BoastfulServer().run()
