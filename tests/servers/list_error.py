"""Capability: resources are advertised, and their list ends in an internal error."""

import mini


class RottenServer(mini.Server):
    def capabilities(self) -> mini.Json:
        return {"tools": {}, "resources": {}}

    def list_resources(self, params: mini.Json) -> object:
        if mini.PLANTED:
            raise mini.RpcError(mini.INTERNAL_ERROR, "index is corrupt")
        return super().list_resources(params)


RottenServer().run()
