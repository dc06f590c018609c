"""Start: the process ends with a traceback before it reads its first line."""

import mini

SETTINGS = {} if mini.PLANTED else {"region": "north"}


class ConfiguredServer(mini.Server):
    def started(self) -> None:
        SETTINGS["region"]


ConfiguredServer().run()
