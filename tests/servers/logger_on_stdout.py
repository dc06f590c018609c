"""B03: the console logger of the server writes to stdout."""

import logging
import sys

import mini

logging.basicConfig(stream=sys.stdout if mini.PLANTED else sys.stderr, level=logging.INFO)
log = logging.getLogger("zoo")


class LoggingServer(mini.Server):
    def requested(self, request: mini.Json) -> None:
        log.info("request %s", request["method"])
        super().requested(request)


LoggingServer().run()
