"""Handshake: the result of `initialize` lacks the protocol version."""

import mini


class ForgetfulServer(mini.Server):
    def initialize(self, params: mini.Json) -> mini.Json:
        result = super().initialize(params)
        if mini.PLANTED:
            del result["protocolVersion"]
        return result


ForgetfulServer().run()
