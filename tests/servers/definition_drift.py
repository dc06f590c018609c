"""Drift: the description of a tool changes from start to start."""

import os

import mini

SESSION = f" (session {os.getpid()})" if mini.PLANTED else ""

mini.Server(mini.GREET._replace(description=f"Greet a person by name{SESSION}.")).run()
