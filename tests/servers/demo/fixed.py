"""A bookmarks server over stdio: the mended twin of `planted.py`."""

import json
import sys
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
BOOKMARKS: list[Json] = [
    {"id": 1, "title": "Python documentation", "url": "https://docs.python.org/3/", "tag": "python"},
    {"id": 2, "title": "JSON-RPC 2.0", "url": "https://www.jsonrpc.org/specification", "tag": "protocol"},
    {"id": 3, "title": "MCP, the protocol", "url": "https://modelcontextprotocol.io/", "tag": "protocol"},
]


def search_bookmarks(arguments: Json) -> str:
    """Return the bookmarks whose title holds the query."""
    query = arguments["query"].lower()
    return json.dumps([mark for mark in BOOKMARKS if query in mark["title"].lower()])


def get_bookmark(arguments: Json) -> str:
    """Return one bookmark; raises ValueError where there is none of that number."""
    for mark in BOOKMARKS:
        if mark["id"] == arguments["id"]:
            return json.dumps(mark)
    raise ValueError(f"There is no bookmark {arguments['id']}.")


def list_by_tag(arguments: Json) -> str:
    """Return the bookmarks of one tag."""
    return json.dumps([mark for mark in BOOKMARKS if mark["tag"] == arguments["tag"]])


def count_bookmarks(arguments: Json) -> str:
    """Return how many bookmarks there are."""
    return f"There are {len(BOOKMARKS)} bookmarks."


def tool(name: str, description: str, **properties: Json) -> Json:
    """Return the definition of a read-only tool; all its properties are required."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    hints = {"readOnlyHint": True}
    return {"name": name, "description": description, "inputSchema": schema, "annotations": hints}


TOOLS = [
    tool(
        "search_bookmarks",
        "Search the bookmarks by a word of their title.",
        query={"type": "string", "description": "The word to look for."},
    ),
    tool(
        "get_bookmark",
        "Get one bookmark by its number.",
        id={"type": "integer", "description": "The number of the bookmark."},
    ),
    tool(
        "list_by_tag",
        "List the bookmarks of one tag.",
        tag={"type": "string", "description": "The tag, such as python or protocol."},
    ),
    tool("count_bookmarks", "Count the bookmarks."),
]


def text(words: str, *, is_error: bool = False) -> Json:
    """Return a tool result with one text block."""
    return {"content": [{"type": "text", "text": words}], "isError": is_error}


HANDLERS: dict[str, Callable[[Json], str]] = {
    "search_bookmarks": search_bookmarks,
    "get_bookmark": get_bookmark,
    "list_by_tag": list_by_tag,
    "count_bookmarks": count_bookmarks,
}
TYPES = {"string": str, "integer": int}


def fault(definition: Json, arguments: Json) -> str | None:
    """Return what is wrong with the arguments of a call, naming the argument, or None."""
    for name, schema in definition["inputSchema"]["properties"].items():
        if name not in arguments:
            return f"{name} is required"
        value = arguments[name]
        if not isinstance(value, TYPES[schema["type"]]) or isinstance(value, bool):
            return f"{name} must be of type {schema['type']}"
    return None


def call(name: str, arguments: Json) -> Json:
    """Call one tool and return its result; what is wrong with a call is told to the model."""
    definition = next((definition for definition in TOOLS if definition["name"] == name), None)
    wrong = fault(definition, arguments) if definition else f"Unknown tool: {name}"
    if wrong:
        return text(wrong, is_error=True)
    try:
        return text(HANDLERS[name](arguments))
    except ValueError as error:
        return text(str(error), is_error=True)


def answer(method: str, params: Any) -> Json:
    """Return the `result` or the `error` of a request."""
    if not isinstance(params, dict) or not isinstance(params.get("arguments", {}), dict):
        return {"error": {"code": -32602, "message": "params and arguments must be objects"}}
    if method == "initialize":
        offered = params.get("protocolVersion")
        version = offered if offered in VERSIONS else VERSIONS[-1]
        capabilities: Json = {"tools": {}}
        info = {"name": "bookmarks", "version": "1.0.0"}
        return {"result": {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info}}
    if method == "ping":
        return {"result": {}}
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method == "tools/call":
        return {"result": call(params.get("name", ""), params.get("arguments", {}))}
    return {"error": {"code": -32601, "message": f"Method not found: {method}"}}


def main() -> None:
    """Serve until stdin ends."""
    print("Bookmarks server 1.0.0 is ready", file=sys.stderr)
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(message, dict) and isinstance(message.get("method"), str) and "id" in message:
            outcome = answer(message["method"], message.get("params", {}))
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}), flush=True)


if __name__ == "__main__":
    main()
