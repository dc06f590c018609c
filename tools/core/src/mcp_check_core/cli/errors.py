"""Errors that end a command with one line."""


class CommandError(Exception):
    """The command cannot do what was asked; the message is one sentence that says what and what to do."""
