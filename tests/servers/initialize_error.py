"""Handshake: `initialize` is answered with an error, as by a server whose database is away."""

import mini


class BrokenServer(mini.Server):
    def initialize(self, params: mini.Json) -> mini.Json:
        if mini.PLANTED:
            raise mini.RpcError(mini.INTERNAL_ERROR, "database is not ready")
        return super().initialize(params)


BrokenServer().run()
