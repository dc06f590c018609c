"""B07: a version that the server does not know is refused in place of negotiated."""

import mini


class StrictServer(mini.Server):
    def version(self, offered: str) -> str:
        if mini.PLANTED and offered not in mini.VERSIONS:
            raise mini.RpcError(mini.INVALID_PARAMS, f"Unsupported protocol version: {offered}")
        return super().version(offered)


StrictServer().run()
