import pytest

from mcp_check_core.wire.decode import OVERSIZE, decode
from mcp_check_core.wire.doubt import may_be_answer

ANSWERS = [
    b'{"jsonrpc": "2.0", "id": 2, "result": {"a": tru',
    b'  {"jsonrpc": "2.0", "id": 2, "result": {"a": NULL}}',
    b'{"id": 2, "result": {"a": }}',
    b"{'jsonrpc': '2.0', 'id': 2, 'result': {}}",
    b"{'id': 2, 'result': {'a': None}}",
    b'  "jsonrpc": "2.0",',
    b'loading...{"jsonrpc": "2.0", "id": 2, "result": {}}',
    b'\xef\xbb\xbf\xef\xbb\xbf{"jsonrpc": "2.0", "id": 2, "result": {}}',
    '{"jsonrpc": "2.0", "id": 2, "result": {}}'.encode("utf-16"),
    b"Content-Length: 41\r",
    b'[{"jsonrpc": "2.0", "id": 2, "result": {}}]',
    b'"{\\"jsonrpc\\": \\"2.0\\", \\"id\\": 2, \\"result\\": {}}"',
    b'{"jsonrpc": "2.0", "id": 2}',
    b'{"jsonrpc": "2.0", "id": 2, "result": ' + b"[" * 600 + b"]" * 600 + b"}",
]
NO_ANSWERS = [
    b"",
    b"INFO starting on stdio",
    b'{"level": "info", "msg": "listening", "id": 2}',
    b'{"level": "info", "message": {"jsonrpc": "2.0", "id": 2, "result": {}}}',
    b'{"level": "info", "message": "sent {\\"jsonrpc\\": \\"2.0\\", \\"id\\": 2}"}',
    b'DEBUG received {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}',
    b"[1, 2, 3]",
    b'["jsonrpc"]',
    b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]',
    b"42",
    b"{this is no JSON}",
    b"an error came: no result",
]


@pytest.mark.parametrize("data", ANSWERS)
def test_a_broken_answer_is_taken_for_one(data: bytes) -> None:
    assert may_be_answer(data, decode(data, 512))


@pytest.mark.parametrize("data", NO_ANSWERS)
def test_a_log_line_is_not(data: bytes) -> None:
    assert not may_be_answer(data, decode(data, 512))


def test_a_line_over_the_limit_is_one_where_it_begins_as_json() -> None:
    assert may_be_answer(b'{"result": ' + b"x" * 1_000, OVERSIZE)
    assert not may_be_answer(b"x" * 1_000, OVERSIZE)
