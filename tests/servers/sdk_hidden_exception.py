"""Internal error, on the SDK: an unknown name raises a KeyError, of which the model learns nothing."""

import sys

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

PLANTED = "--fixed" not in sys.argv[1:]
PRICES = {"apple": 3, "pear": 4}

server = MCPServer("zoo", version="1.0.0")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def price(item: str) -> int:
    """Return the price of an item: apple or pear."""
    if not PLANTED and item not in PRICES:
        raise ToolError(f"There is no item {item!r}; there are: {', '.join(PRICES)}.")
    return PRICES[item]


server.run("stdio")
