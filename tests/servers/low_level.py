"""One tool on the low-level server of the Python SDK, which checks no arguments by itself."""

import sys
from collections.abc import Callable
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

PLANTED = "--fixed" not in sys.argv[1:]
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "The name of a city."}},
    "required": ["city"],
}
FORECAST = Tool(
    name="forecast",
    description="Return tomorrow's weather in a city.",
    input_schema=SCHEMA,
    annotations=ToolAnnotations(read_only_hint=True),
)


def result(text: str, *, is_error: bool = False) -> CallToolResult:
    """Return a tool result with one text block."""
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=is_error)


def checked(arguments: dict[str, Any]) -> CallToolResult:
    """Answer a call after a check of its one argument."""
    if not isinstance(arguments.get("city"), str):
        return result("argument city is required and must be a string", is_error=True)
    return result(f"Sunny in {arguments['city']}.")


async def _serve(call: Callable[[dict[str, Any]], CallToolResult]) -> None:
    async def on_list_tools(context: object, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[FORECAST])

    async def on_call_tool(context: object, params: CallToolRequestParams) -> CallToolResult:
        return call(params.arguments or {})

    server = Server("zoo", version="1.0.0", on_list_tools=on_list_tools, on_call_tool=on_call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def serve(call: Callable[[dict[str, Any]], CallToolResult]) -> None:
    """Serve the tool over stdio until stdin ends."""
    anyio.run(_serve, call)
