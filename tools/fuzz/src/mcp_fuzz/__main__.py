"""Run as `python -m mcp_fuzz`."""

from mcp_fuzz.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
