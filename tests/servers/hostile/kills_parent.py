"""Kills its parent as soon as it is asked for its tools, if a checker is the parent, and serves on."""

import os
import signal

import frame

LAUNCHED = "MCP_CHECK_LAUNCH" in os.environ
"""Whether a checker started us: a person's shell or a test runner is left alone."""


class OrphanServer(frame.Server):
    def list_tools(self, params: frame.Json) -> object:
        if LAUNCHED and os.getppid() > 1:
            os.kill(os.getppid(), signal.SIGKILL)
        return super().list_tools(params)


OrphanServer().run()
