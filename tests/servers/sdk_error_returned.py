"""Fidelity, on the SDK (field: B16): the handler catches everything and returns the error as its result."""

import sys

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

PLANTED = "--fixed" not in sys.argv[1:]
PRICES = {"apple": 3, "pear": 4}

server = MCPServer("zoo", version="1.0.0")


def looked_up(name: str) -> int:
    """Return the price of an item, or raise a KeyError."""
    return PRICES[name]


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def list_items() -> list[dict[str, str]]:
    """List all items by name."""
    return [{"name": name} for name in PRICES]


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def price(name: str) -> str:
    """Return the price of an item."""
    try:
        return f"{looked_up(name)} EUR"
    except KeyError as problem:
        if PLANTED:
            return f"Error: there is no item {problem}"
        raise ToolError(f"There is no item {name!r}; there are: {', '.join(PRICES)}.") from None


server.run("stdio")
