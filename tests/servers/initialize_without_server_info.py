"""Handshake: the result of `initialize` lacks the name and version of the server."""

import mini


class ForgetfulServer(mini.Server):
    def initialize(self, params: mini.Json) -> mini.Json:
        result = super().initialize(params)
        if mini.PLANTED:
            del result["serverInfo"]
        return result


ForgetfulServer().run()
