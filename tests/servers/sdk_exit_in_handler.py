"""Crash, on the SDK: a tool calls `sys.exit` where it should report, and ends the server."""

import sys

sys.modules["rich"] = None  # type: ignore[assignment]  # with rich the SDK renders the exit for seconds first

from mcp.server.mcpserver import MCPServer  # noqa: E402
from mcp.server.mcpserver.exceptions import ToolError  # noqa: E402
from mcp_types import ToolAnnotations  # noqa: E402

PLANTED = "--fixed" not in sys.argv[1:]

server = MCPServer("zoo", version="1.0.0")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def convert(path: str) -> str:
    """Convert a file to text; there is only ever `notes.md`."""
    if path != "notes.md":
        if PLANTED:
            sys.exit(f"cannot read {path}")
        raise ToolError(f"There is no file {path!r}.")
    return "Notes."


server.run("stdio")
