import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.client_side import answer_server
from mcp_check_core.wire.message import Message, MessageKind, RpcError, read_message

RESPONSE, REQUEST, NOTIFICATION = MessageKind.RESPONSE, MessageKind.REQUEST, MessageKind.NOTIFICATION
HEAD: dict[str, Json] = {"jsonrpc": "2.0", "id": 1}
FAULT: dict[str, Json] = {"code": -32603, "message": "no"}

BAD_IDS: tuple[Json, ...] = (None, True, 1.5, [1])

CASES: list[tuple[Json, MessageKind | None, list[str]]] = [
    ({**HEAD, "result": {}}, RESPONSE, []),
    ({**HEAD, "id": "a", "result": {}}, RESPONSE, []),
    ({**HEAD, "error": FAULT}, RESPONSE, []),
    ({**HEAD, "id": None, "error": FAULT}, RESPONSE, []),
    ({"jsonrpc": "2.0", "error": FAULT}, RESPONSE, []),
    ({**HEAD, "method": "ping"}, REQUEST, []),
    ({"jsonrpc": "2.0", "method": "m", "params": {}}, NOTIFICATION, []),
    ({"jsonrpc": "2.0", "method": "m", "params": None}, NOTIFICATION, []),
    ({"id": 1, "result": {}}, RESPONSE, ["jsonrpc-version"]),
    ({**HEAD, "jsonrpc": "1.0", "result": {}}, RESPONSE, ["jsonrpc-version"]),
    ({**HEAD, "jsonrpc": 2.0, "result": {}}, RESPONSE, ["jsonrpc-version"]),
    ({**HEAD, "result": {}, "error": FAULT}, RESPONSE, ["result-and-error"]),
    ({**HEAD, "result": {}, "error": None}, RESPONSE, ["result-and-error", "error-malformed"]),
    ({**HEAD, "result": None}, RESPONSE, ["result-not-an-object"]),
    ({**HEAD, "result": []}, RESPONSE, ["result-not-an-object"]),
    ({**HEAD, "error": "no"}, RESPONSE, ["error-malformed"]),
    ({**HEAD, "error": {"code": "1", "message": "no"}}, RESPONSE, ["error-malformed"]),
    ({**HEAD, "error": {"code": True, "message": "no"}}, RESPONSE, ["error-malformed"]),
    ({**HEAD, "error": {"code": 1.0}}, RESPONSE, ["error-malformed", "error-malformed"]),
    ({"jsonrpc": "2.0", "result": {}}, RESPONSE, ["id-invalid"]),
    ({**HEAD, "id": None, "result": {}}, RESPONSE, ["id-invalid"]),
    ({**HEAD, "id": 1.0, "result": {}}, RESPONSE, ["id-invalid"]),
    ({**HEAD, "id": True, "result": {}}, RESPONSE, ["id-invalid"]),
    ({**HEAD, "id": [1], "method": "m"}, REQUEST, ["id-invalid"]),
    ({**HEAD, "id": None, "method": "m"}, REQUEST, ["id-invalid"]),
    ({**HEAD, "method": 1}, REQUEST, ["method-not-a-string"]),
    ({"jsonrpc": "2.0", "method": "m", "params": [1]}, NOTIFICATION, ["params-not-an-object"]),
    ({**HEAD}, None, ["neither-request-nor-response"]),
    ({}, None, ["jsonrpc-version", "neither-request-nor-response"]),
    ({"level": "info", "msg": "hello"}, None, ["jsonrpc-version", "neither-request-nor-response"]),
    ([{**HEAD, "result": {}}], None, ["batch"]),
    ("text", None, ["not-an-object"]),
    (None, None, ["not-an-object"]),
    (3, None, ["not-an-object"]),
]


@pytest.mark.parametrize(("value", "kind", "faults"), CASES)
def test_the_kind_and_the_faults_of_a_message(
    value: Json, kind: MessageKind | None, faults: list[str]
) -> None:
    message, seen = read_message(value)
    assert (message and message.kind) == kind
    assert [fault.code.value for fault in seen] == faults


def test_of_a_faulty_message_the_rest_is_read() -> None:
    message, _ = read_message({"id": "7", "error": {"code": "x", "message": "m", "data": [1]}})
    assert message == Message(RESPONSE, "7", error=RpcError(0, "m", [1]))


def test_details_quote_little_of_the_server() -> None:
    _, faults = read_message({**HEAD, "jsonrpc": "9" * 10_000, "result": {}})
    assert len(faults[0].detail) < 120


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (Message(REQUEST, 1, "ping"), {"id": 1, "result": {}}),
        (Message(REQUEST, "a", "ping"), {"id": "a", "result": {}}),
        (
            Message(REQUEST, 2, "roots/list"),
            {"id": 2, "error": {"code": -32601, "message": "this client does not offer roots/list"}},
        ),
        (
            Message(REQUEST, 2, None),
            {"id": 2, "error": {"code": -32600, "message": "the method of a request is a string"}},
        ),
        *(
            (
                Message(REQUEST, bad, "ping"),
                {
                    "id": None,
                    "error": {"code": -32600, "message": "the id of a request is a string or an integer"},
                },
            )
            for bad in BAD_IDS
        ),
    ],
)
def test_requests_of_a_server_are_answered(request_: Message, answer: Json) -> None:
    assert isinstance(answer, dict)
    assert answer_server(request_) == {"jsonrpc": "2.0", **answer}
    assert read_message(answer_server(request_))[1] == ()
