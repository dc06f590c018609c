"""What we are as a client: who we say we are, what we declare, how we answer a server's requests."""

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.message import Message

CLIENT_CAPABILITIES: dict[str, Json] = {}
"""What we declare: nothing. A server that shows other tools to clients with roots, sampling or elicitation is
checked as a plain client sees it; every report records this."""

INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601


def client_info(version: str, name: str = "mcp-trust-check") -> dict[str, Json]:
    """Describe us in `initialize`."""
    return {"name": name, "version": version}


def answer_server(request: Message) -> dict[str, Json]:
    """Answer a request that the server sent to us: `ping` with a result, all else with a well-formed error.

    We declare no capability, so a conforming server has nothing else to ask (specification, lifecycle:
    both parties use only what was negotiated).
    """
    if isinstance(request.id, bool) or not isinstance(request.id, int | str):
        return _error(None, INVALID_REQUEST, "the id of a request is a string or an integer")
    if request.method is None:
        return _error(request.id, INVALID_REQUEST, "the method of a request is a string")
    if request.method == "ping":
        return {"jsonrpc": "2.0", "id": request.id, "result": {}}
    return _error(request.id, METHOD_NOT_FOUND, f"this client does not offer {cut_text(request.method, 80)}")


def _error(identity: Json, code: int, message: str) -> dict[str, Json]:
    return {"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": message}}
