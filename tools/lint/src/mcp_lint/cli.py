"""The command `mcp-lint`: in this release help and version alone."""

import sys
from collections.abc import Sequence

from mcp_lint._version import __version__

USAGE = f"""\
Usage: mcp-lint run -- COMMAND

Reads the tool definitions of an MCP server and says what makes them hard, costly or unsafe for an agent.

mcp-lint {__version__} has no checks yet: whatever the target, it says so and exits 2.

Options:
  --version  print the version
  --help     print this text
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Answer `--help` and `--version`; anything else is exit code 2, since nothing was checked."""
    words = list(sys.argv[1:] if argv is None else argv)
    own = words[: words.index("--")] if "--" in words else words
    if "--help" in own or "-h" in own:
        sys.stdout.write(USAGE)
        return 0
    if "--version" in own:
        sys.stdout.write(f"mcp-lint {__version__}\n")
        return 0
    sys.stderr.write(f"mcp-lint {__version__} has no checks yet; nothing was checked.\n")
    return 2
