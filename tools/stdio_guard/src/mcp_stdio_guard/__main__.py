"""Run the command as `python -m mcp_stdio_guard`."""

import sys

from mcp_stdio_guard.cli import main

if __name__ == "__main__":
    sys.exit(main())
