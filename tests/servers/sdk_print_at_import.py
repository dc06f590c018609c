"""B01, on the SDK: a print at import precedes the first frame, before the SDK has moved stdout away."""

import sys

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations

PLANTED = "--fixed" not in sys.argv[1:]

print("Loading the model ...", file=sys.stdout if PLANTED else sys.stderr, flush=True)

server = MCPServer("zoo", version="1.0.0")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def add(a: int, b: int) -> int:
    """Add two whole numbers and return the sum."""
    return a + b


server.run("stdio")
