"""Four tools on whichever Python SDK is installed: `server.py` over stdio, `server.py PORT` over HTTP."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any, TypeVar

from pydantic import Field

PORT = int(sys.argv[1]) if sys.argv[1:] else None
Handler = TypeVar("Handler", bound=Callable[..., object])


def make() -> tuple[Any, dict[str, Any]]:
    """Make a server, and what its `run` takes to serve HTTP."""
    try:
        over_http = {"transport": "http", "port": PORT, "show_banner": False}
        return import_module("fastmcp").FastMCP("sdk"), over_http
    except ImportError:
        pass
    over_http = {"transport": "streamable-http", "port": PORT}
    try:
        return import_module("mcp.server.mcpserver").MCPServer("sdk"), over_http
    except ImportError:
        return import_module("mcp.server.fastmcp").FastMCP("sdk", port=PORT or 8000), {
            "transport": "streamable-http"
        }


server, over_http = make()


def tool(handler: Handler) -> Handler:
    """Offer a function as a tool."""
    server.tool()(handler)
    return handler


@tool
def add(a: int, b: int = 1) -> int:
    """Add two numbers."""
    return a + b


@tool
def words(text: str) -> list[str]:
    """Cut a text into its words."""
    return text.split()


@tool
def where(city: Annotated[str, Field(json_schema_extra={"x-mcp-header": "City"})]) -> str:
    """Say a city again; over HTTP the modern era wants it in a header as well."""
    return city


@tool
def boom(x: str) -> str:
    """Fail."""
    raise ValueError(f"detail of {x}")


if __name__ == "__main__":
    if PORT is None:
        server.run()
    else:
        server.run(**over_http)
