"""Runs the command as `python -m mcp_doctor`."""

import sys

from mcp_doctor.cli import main

if __name__ == "__main__":
    sys.exit(main())
