"""Reads everything and answers nothing."""

import frame


class SilentServer(frame.Server):
    def requested(self, request: frame.Json) -> None:
        pass


SilentServer().run()
