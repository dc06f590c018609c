"""Runs the command as `python -m mcp_trust_check`."""

import sys

from mcp_trust_check.cli import main

if __name__ == "__main__":
    sys.exit(main())
