"""JSON-RPC 2.0 messages, and what can be wrong with one."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from mcp_check_core.model.bounds import cut_text
from mcp_check_core.model.json_value import Json, json_type
from mcp_check_core.wire.faults import Fault, FaultCode

RequestId: TypeAlias = int | str


class MessageKind(StrEnum):
    """The three forms of a message."""

    REQUEST = "request"
    NOTIFICATION = "notification"
    RESPONSE = "response"


@dataclass(frozen=True, slots=True)
class RpcError:
    """The error of a response: integer code, message, optional data."""

    code: int
    message: str
    data: Json = None


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it came. `id` is kept in the type it had; of a faulty message, what could be read."""

    kind: MessageKind
    id: Json = None
    method: str | None = None
    params: Json = None
    result: Json = None
    error: RpcError | None = None


def read_message(value: Json) -> tuple[Message | None, tuple[Fault, ...]]:
    """Tell a decoded line's kind and list its JSON-RPC faults. None: there is no message in it."""
    if isinstance(value, list):
        return None, (Fault(FaultCode.BATCH, f"array of {len(value)}"),)
    if not isinstance(value, dict):
        return None, (Fault(FaultCode.NOT_AN_OBJECT, json_type(value)),)
    faults: list[Fault] = []
    if value.get("jsonrpc") != "2.0":
        seen = (
            f"jsonrpc is {cut_text(str(value['jsonrpc']), 40)!r}"
            if "jsonrpc" in value
            else "no jsonrpc member"
        )
        faults.append(Fault(FaultCode.VERSION, seen))
    if "method" in value:
        message = _read_call(value, faults)
    elif "result" in value or "error" in value:
        message = _read_response(value, faults)
    else:
        return None, (*faults, Fault(FaultCode.NO_KIND, "neither method nor result nor error"))
    return message, tuple(faults)


def _read_call(value: dict[str, Json], faults: list[Fault]) -> Message:
    method, params = value["method"], value.get("params")
    if not isinstance(method, str):
        faults.append(Fault(FaultCode.METHOD_TYPE, json_type(method)))
    if params is not None and not isinstance(params, dict):
        faults.append(Fault(FaultCode.PARAMS_TYPE, json_type(params)))
    if "id" in value:
        _check_id(value["id"], faults)
    kind = MessageKind.REQUEST if "id" in value else MessageKind.NOTIFICATION
    return Message(kind, value.get("id"), method if isinstance(method, str) else None, params)


def _read_response(value: dict[str, Json], faults: list[Fault]) -> Message:
    if "result" in value and "error" in value:
        faults.append(Fault(FaultCode.RESULT_AND_ERROR))
    elif "result" in value and not isinstance(value["result"], dict):
        faults.append(Fault(FaultCode.RESULT_TYPE, json_type(value["result"])))
    error = _read_error(value["error"], faults) if "error" in value else None
    if "id" not in value or value["id"] is None:
        if error is None:
            faults.append(Fault(FaultCode.ID_INVALID, "a result without an id"))
    else:
        _check_id(value["id"], faults)
    return Message(MessageKind.RESPONSE, value.get("id"), result=value.get("result"), error=error)


def _read_error(error: Json, faults: list[Fault]) -> RpcError:
    if not isinstance(error, dict):
        faults.append(Fault(FaultCode.ERROR_SHAPE, f"error is {json_type(error)}"))
        return RpcError(0, "")
    code, text = error.get("code"), error.get("message")
    if isinstance(code, bool) or not isinstance(code, int):
        faults.append(Fault(FaultCode.ERROR_SHAPE, f"code is {json_type(code)}"))
        code = 0
    if not isinstance(text, str):
        faults.append(Fault(FaultCode.ERROR_SHAPE, f"message is {json_type(text)}"))
        text = ""
    return RpcError(code, text, error.get("data"))


def _check_id(value: Json, faults: list[Fault]) -> None:
    if isinstance(value, bool) or not isinstance(value, int | str):
        faults.append(Fault(FaultCode.ID_INVALID, f"id is {json_type(value)}"))
