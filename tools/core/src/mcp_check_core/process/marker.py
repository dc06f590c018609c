"""The mark that every process of one launch carries in its environment."""

import secrets

MARKER = "MCP_CHECK_LAUNCH"
"""The variable; each launch has its own value, which every descendant inherits unless it scrubs it."""


def new_marker() -> str:
    """Return a value of 32 hexadecimal digits that no other launch has."""
    return secrets.token_hex(16)
