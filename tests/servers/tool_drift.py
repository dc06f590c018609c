"""Drift: each start of the server lists a tool under another name."""

import os

import mini

NAME = f"greet_{os.getpid()}" if mini.PLANTED else "greet_guest"

mini.Server(mini.GREET, mini.GREET._replace(name=NAME)).run()
