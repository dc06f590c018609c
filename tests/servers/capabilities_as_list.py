"""Handshake: the capabilities are a list of names in place of an object."""

import mini


class ListingServer(mini.Server):
    def initialize(self, params: mini.Json) -> mini.Json:
        result = super().initialize(params)
        if mini.PLANTED:
            result["capabilities"] = list(result["capabilities"])
        return result


ListingServer().run()
