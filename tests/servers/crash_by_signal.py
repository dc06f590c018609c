"""Crash: a call ends the process by a signal, as the out-of-memory killer or a native library does."""

import os
import signal

import mini


def load(arguments: mini.Json) -> str:
    if mini.PLANTED:
        os.kill(os.getpid(), signal.SIGKILL)
    return f"Loaded {arguments['name']}."


LOAD = mini.Tool("load", "Load a model by name.", load, {"name": mini.NAME}, ("name",))

mini.Server(LOAD).run()
