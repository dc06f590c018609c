"""Runs the command as `python -m mcp_lint`."""

import sys

from mcp_lint.cli import main

if __name__ == "__main__":
    sys.exit(main())
