"""A small, correct MCP server on the standard library, with seams in which a zoo server plants one defect.

It speaks newline-delimited JSON-RPC over stdio in the handshake era. What no official SDK answers (text that
is not JSON, batches, envelopes without "jsonrpc") it passes over in silence, and it ends when stdin does.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Json = dict[str, Any]

PLANTED = "--fixed" not in sys.argv[1:]
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

JSON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


class RpcError(Exception):
    """A JSON-RPC error that a handler answers with."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Tool(NamedTuple):
    """A tool: what `tools/list` says of it, and what runs; `extra` replaces fields of the definition."""

    name: str
    description: str | None
    run: Callable[[Json], Any]
    properties: Mapping[str, Any] = {}
    required: Sequence[str] = ()
    extra: Mapping[str, Any] = {}

    def definition(self) -> Json:
        """Return the tool as `tools/list` shows it; it is read-only, so a checker may call it."""
        schema = {"type": "object", "properties": dict(self.properties), "required": list(self.required)}
        described = {} if self.description is None else {"description": self.description}
        rest = {"inputSchema": schema, "annotations": {"readOnlyHint": True}}
        return {"name": self.name, **described, **rest, **self.extra}


def is_of_type(value: object, name: str) -> bool:
    """Tell whether a JSON value is of a JSON Schema type; 2.0 is an integer there and true is no number."""
    if isinstance(value, bool):
        return name == "boolean"
    if isinstance(value, float) and value.is_integer() and name == "integer":
        return True
    return isinstance(value, JSON_TYPES.get(name, (object,)))


def fault(tool: Tool, arguments: Json) -> str | None:
    """Return the first thing wrong with the arguments of a call, naming the argument, or None."""
    for name in tool.required:
        if name not in arguments:
            return f"missing required argument: {name}"
    for name, schema in tool.properties.items():
        wanted = schema.get("type") if isinstance(schema, dict) else None
        if isinstance(wanted, str) and name in arguments and not is_of_type(arguments[name], wanted):
            return f"argument {name} must be of type {wanted}"
    return None


def text_result(text: str) -> Json:
    """Return a tool result with one text block."""
    return {"content": [{"type": "text", "text": text}]}


def error_result(text: str) -> Json:
    """Return a tool result that says what went wrong, to be read by the model."""
    return {"content": [{"type": "text", "text": text}], "isError": True}


INTEGER: Json = {"type": "integer", "description": "A whole number."}
NAME: Json = {"type": "string", "description": "The name of a person."}

ADD = Tool(
    "add",
    "Add two whole numbers and return the sum.",
    lambda arguments: str(arguments["a"] + arguments["b"]),
    {"a": INTEGER, "b": INTEGER},
    ("a", "b"),
)
GREET = Tool(
    "greet",
    "Greet a person by name.",
    lambda arguments: f"Hello, {arguments['name']}!",
    {"name": NAME},
    ("name",),
)


class Server:
    """The server; each method is a seam that a planted server overrides."""

    def __init__(self, *tools: Tool) -> None:
        self.tools = tools or (ADD, GREET)

    # The wire

    def write(self, data: bytes) -> None:
        """Put bytes on stdout at once."""
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def send(self, message: object) -> None:
        """Send one message as one line."""
        self.write(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n")

    def notify(self, method: str, params: Json) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def respond(self, request: Json, outcome: Json) -> None:
        """Answer a request; `outcome` holds `result` or `error`."""
        self.send({"jsonrpc": "2.0", "id": request["id"], **outcome})

    # The life of the process

    def started(self) -> None:
        """Run before the first line is read."""

    def ended(self) -> None:
        """Run when stdin has ended."""

    def run(self) -> None:
        """Serve until stdin ends."""
        self.started()
        for line in sys.stdin.buffer:
            self.received(line)
        self.ended()

    def received(self, line: bytes) -> None:
        """Take one line in; what is no JSON-RPC request or notification is passed over."""
        try:
            message = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return
        if not isinstance(message.get("method"), str):
            return
        if "id" not in message:
            self.notified(message)
        elif isinstance(message["id"], str | int) and not isinstance(message["id"], bool):
            self.requested(message)

    def notified(self, message: Json) -> None:
        """Take a notification in; there is nothing to do for any."""

    def requested(self, request: Json) -> None:
        """Answer one request."""
        params = request.get("params", {})
        try:
            self.respond(request, {"result": self.result(request["method"], params)})
        except RpcError as error:
            self.respond(request, {"error": {"code": error.code, "message": str(error)}})

    # The methods

    def result(self, method: str, params: Any) -> Any:
        """Return the result of a method; raises RpcError for one that the server has not."""
        handlers: dict[str, Callable[[Json], Any]] = {
            "initialize": self.initialize,
            "ping": lambda _: {},
            "tools/list": self.list_tools,
            "tools/call": self.call_tool,
        }
        capabilities = self.capabilities()
        if "logging" in capabilities:
            handlers["logging/setLevel"] = lambda _: {}
        if "resources" in capabilities:
            handlers["resources/list"] = self.list_resources
            handlers["resources/templates/list"] = lambda _: {"resourceTemplates": []}
        if "prompts" in capabilities:
            handlers["prompts/list"] = self.list_prompts
        if method not in handlers:
            raise RpcError(METHOD_NOT_FOUND, f"Method not found: {method}")
        if not isinstance(params, dict):
            raise RpcError(INVALID_PARAMS, "params must be an object")
        return handlers[method](params)

    def capabilities(self) -> Json:
        """Return what the server says that it can do."""
        return {"tools": {}}

    def version(self, offered: str) -> str:
        """Return the version to speak: the one offered where it is known, else our newest."""
        return offered if offered in VERSIONS else VERSIONS[-1]

    def initialize(self, params: Json) -> Json:
        """Return the result of the handshake."""
        offered = params.get("protocolVersion")
        if not isinstance(offered, str):
            raise RpcError(INVALID_PARAMS, "protocolVersion must be a string")
        return {
            "protocolVersion": self.version(offered),
            "capabilities": self.capabilities(),
            "serverInfo": {"name": "zoo", "version": "1.0.0"},
        }

    def list_tools(self, params: Json) -> Any:
        """Return one page with every tool."""
        return {"tools": [tool.definition() for tool in self.tools]}

    def list_resources(self, params: Json) -> Any:
        """Return one page with one resource."""
        return {"resources": [{"uri": "zoo://greeting", "name": "greeting", "mimeType": "text/plain"}]}

    def list_prompts(self, params: Json) -> Any:
        """Return one page with one prompt."""
        return {"prompts": [{"name": "welcome", "description": "Welcome a guest."}]}

    def call_tool(self, params: Json) -> Any:
        """Check the arguments of a call and make it."""
        tool = next((tool for tool in self.tools if tool.name == params.get("name")), None)
        arguments = params.get("arguments", {})
        if not isinstance(arguments, dict):
            raise RpcError(INVALID_PARAMS, "arguments must be an object")
        if tool is None:
            return error_result(f"Unknown tool: {params.get('name')}")
        wrong = self.fault(tool, arguments)
        return error_result(wrong) if wrong else self.call(tool, arguments)

    def fault(self, tool: Tool, arguments: Json) -> str | None:
        """Return what is wrong with the arguments of a call, or None."""
        return fault(tool, arguments)

    def call(self, tool: Tool, arguments: Json) -> Any:
        """Run a tool; an exception of the tool ends the process, as it does in a server without a guard."""
        return text_result(tool.run(arguments))
