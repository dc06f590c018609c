"""Runs the command as `python -m mcp_reality_check`."""

import sys

from mcp_reality_check.cli import main

if __name__ == "__main__":
    sys.exit(main())
