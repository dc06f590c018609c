"""What the official clients make of an answer: all that differs between what we see and what they give."""

from typing import Any

from tests.differential.observed import Observed


def as_python_reads(seen: Observed) -> Observed:
    """Give what the Python SDK (mcp 2.3) makes of it.

    Its models write out two members of a result that the server may leave out: `isError`, false by default,
    and `resultType`, which an answer of the handshake era does not have. Nothing else differs.
    """
    return Observed(seen.tools, [_with_defaults(call) for call in seen.calls])


def as_typescript_reads(seen: Observed) -> Observed:
    """Give what the TypeScript SDK 1.32 makes of it.

    The message of an error gets `MCP error CODE: ` in front.
    """
    return Observed(seen.tools, [_with_prefix(call) for call in seen.calls])


def as_typescript_2_reads(seen: Observed) -> Observed:
    """Give what the TypeScript SDK 2.4 makes of it.

    It takes `resultType` out of a result of the modern era, having looked at it.
    """
    return Observed(seen.tools, [_without_type(call) for call in seen.calls])


def _with_defaults(call: dict[str, Any]) -> dict[str, Any]:
    if "result" not in call:
        return call
    return {"result": {"isError": False, "resultType": "complete", **call["result"]}}


def _with_prefix(call: dict[str, Any]) -> dict[str, Any]:
    if "error" not in call:
        return call
    error = call["error"]
    return {"error": {**error, "message": f"MCP error {error['code']}: {error['message']}"}}


def _without_type(call: dict[str, Any]) -> dict[str, Any]:
    if "result" not in call:
        return call
    return {"result": {name: value for name, value in call["result"].items() if name != "resultType"}}
