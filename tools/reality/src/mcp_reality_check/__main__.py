"""Run as `python -m mcp_reality_check`."""

from mcp_reality_check.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
