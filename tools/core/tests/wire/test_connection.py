import time
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from mcp_check_core.process.carrier import Exit
from mcp_check_core.wire.connection import Connection
from mcp_check_core.wire.peer import Peer
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.transcript import Direction, Frame, Phase
from tools.core.tests.process.programs import until
from tools.core.tests.wire.servers import LIMITS, connected, connector, ready

pytestmark = pytest.mark.anyio
SHORT = replace(LIMITS, request_s=0.5)


def codes(reply: Reply) -> list[str]:
    return [fault.code.value for fault in reply.faults]


def received(connection: Peer) -> list[Frame]:
    return [frame for frame in connection.transcript.frames if frame.direction is Direction.RECEIVED]


async def ask(folder: Path, body: str) -> tuple[Reply, float]:
    """Make one request of a server that does `body` with it, and return the reply and the seconds it took."""
    began = time.monotonic()
    async with connected(folder, "request = read()\n" + body) as connection:
        reply = await connection.request("m")
        return reply, time.monotonic() - began


async def test_an_answer_is_given_back_whole(tmp_path: Path) -> None:
    reply, _ = await ask(tmp_path, "answer(request, {'a': 'é'})\nuntil_the_end()")
    assert (reply.kind, reply.result, reply.error, reply.faults) == (ReplyKind.RESULT, {"a": "é"}, None, ())
    assert (reply.answered, reply.fields, reply.method) == (True, {"a": "é"}, "m")
    assert reply.size == len(b'{"jsonrpc": "2.0", "id": 1, "result": {"a": "\\u00e9"}}')
    assert reply.excerpt.startswith('{"jsonrpc"')


async def test_an_error_is_an_answer(tmp_path: Path) -> None:
    body = "send(id=request['id'], error={'code': -5, 'message': 'no', 'data': [1]})\nuntil_the_end()"
    reply, _ = await ask(tmp_path, body)
    assert reply.kind is ReplyKind.ERROR
    assert reply.error is not None
    assert (reply.error.code, reply.error.message, reply.error.data) == (-5, "no", [1])
    assert (reply.answered, reply.fields) == (True, {})


BROKEN = {
    "wrong-id": ("send(id=99, result={})", ["id-unknown"]),
    "no-id": ("send(result={})", ["id-invalid", "id-unknown"]),
    "error-of-nobody": ("send(id=None, error={'code': 1, 'message': 'm'})", ["id-unknown"]),
    "id-as-fraction": (
        r"raw(b'{\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":{}}\n')",
        ["id-invalid", "id-unknown"],
    ),
    "batch": ("raw(json.dumps([{'jsonrpc': '2.0', 'id': 1, 'result': {}}]).encode() + b'\\n')", ["batch"]),
    "no-kind": ("send(id=1)", ["neither-request-nor-response"]),
    "truncated": (r"raw(b'{\"jsonrpc\": \"2.0\", \"id\": 1, \"res\n')", ["not-json"]),
    "pretty-printed": (
        r"raw(b'{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": {}\n}\n')",
        ["not-json"],
    ),
    "single-quotes": (r"raw(str({'jsonrpc': '2.0', 'id': 1, 'result': {}}).encode() + b'\n')", ["not-json"]),
    "behind-text": (r"raw(b'wait... {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n')", ["not-json"]),
    "too-deep": (
        r"raw(b'{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":' + b'[' * 5000 + b']' * 5000 + b'}\n')",
        ["too-deep"],
    ),
    "content-length": (
        r"raw(b'Content-Length: 36\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}')",
        ["content-length"],
    ),
    "utf-16": (r"raw(json.dumps({'jsonrpc': '2.0', 'id': 1, 'result': {}}).encode('utf-16') + b'\n')", None),
}


@pytest.mark.parametrize(("body", "faults"), BROKEN.values(), ids=BROKEN)
async def test_a_broken_answer_ends_the_wait_early(
    tmp_path: Path, body: str, faults: list[str] | None
) -> None:
    reply, seconds = await ask(tmp_path, body + "\nuntil_the_end()")
    assert (reply.kind, reply.answered) == (ReplyKind.MALFORMED, False)
    assert faults is None or codes(reply) == faults
    assert reply.excerpt
    assert seconds < 5.0


UNUSABLE = {
    "result-and-error": (
        "send(id=1, result={}, error={'code': 1, 'message': 'm'})",
        ["result-and-error"],
    ),
    "result-as-list": ("send(id=1, result=[1])", ["result-not-an-object"]),
    "error-as-text": ("send(id=1, error='no')", ["error-malformed"]),
}


@pytest.mark.parametrize(("body", "faults"), UNUSABLE.values(), ids=UNUSABLE)
async def test_an_answer_that_is_none_ends_the_wait_at_once(
    tmp_path: Path, body: str, faults: list[str]
) -> None:
    reply, seconds = await ask(tmp_path, body + "\nuntil_the_end()")
    assert (reply.kind, codes(reply)) == (ReplyKind.MALFORMED, faults)
    assert seconds < 5.0


USABLE = {
    "id-as-text": ("send(id='1', result={'a': 1})", ["id-type"]),
    "no-version": (r"raw(b'{\"id\":1,\"result\":{\"a\":1}}\n')", ["jsonrpc-version"]),
    "byte-order-mark": (
        r"raw(b'\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1}}\n')",
        ["byte-order-mark"],
    ),
    "bad-utf8": (
        r"raw(b'{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1,\"b\":\"\xe9\"}}\n')",
        ["invalid-utf8"],
    ),
    "lone-surrogate": ("send(id=1, result={'a': 1, 'b': '\\ud800'})", ["lone-surrogate"]),
    "after-a-wrong-one": ("send(id=99, result={'b': 2})\nsend(id=1, result={'a': 1})", []),
    "no-newline": (
        r"raw(b'{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1}}'); sys.exit(0)",
        ["no-newline"],
    ),
    "carriage-return": (r"raw(b'{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1}}\r\n')", []),
}


@pytest.mark.parametrize(("body", "faults"), USABLE.values(), ids=USABLE)
async def test_a_faulty_answer_that_can_be_read_is_used(tmp_path: Path, body: str, faults: list[str]) -> None:
    reply, _ = await ask(tmp_path, body + "\nuntil_the_end()")
    assert (reply.kind, reply.fields.get("a"), codes(reply)) == (ReplyKind.RESULT, 1, faults)


async def test_log_lines_on_stdout_do_not_end_a_slow_call(tmp_path: Path) -> None:
    body = r"""
    request = read()
    raw(b'plain text\n{"level": "info", "id": 1}\nreceived {"jsonrpc": "2.0", "method": "m"}\n[1]\n\n')
    time.sleep(0.5)
    answer(request)
    until_the_end()
    """
    async with connected(tmp_path, body) as connection:
        reply = await connection.request("m")
        assert reply.kind is ReplyKind.RESULT
        assert [frame.during for frame in received(connection)] == ["m"] * 6
        assert connection.transcript.invalid == 5


async def test_second_and_late_answers_are_known_for_what_they_are(tmp_path: Path) -> None:
    body = """
    first = read()
    answer(first)
    answer(first)
    slow = read()
    third = read()
    answer(slow)
    send(id=str(slow["id"]), result={})
    answer(third)
    until_the_end()
    """
    async with connected(tmp_path, body) as connection:
        assert (await connection.request("first")).kind is ReplyKind.RESULT
        assert (await connection.request("slow", timeout=0.2)).kind is ReplyKind.TIMEOUT
        assert (await connection.request("third")).kind is ReplyKind.RESULT
        assert [
            (frame.late, [fault.code.value for fault in frame.faults]) for frame in received(connection)
        ] == [
            (False, []),
            (False, ["id-already-answered"]),
            (True, []),
            (True, ["id-type"]),
            (False, []),
        ]


async def test_no_answer_is_a_timeout_after_its_own_time(tmp_path: Path) -> None:
    async with connected(tmp_path, "until_the_end()") as connection:
        began = time.monotonic()
        reply = await connection.request("m", timeout=0.3)
        assert (reply.kind, reply.excerpt) == (ReplyKind.TIMEOUT, "")
        assert 0.3 <= time.monotonic() - began < 3.0
        assert 300 <= reply.duration_ms < 3_000


async def test_a_server_that_closes_stdout_and_lives_on(tmp_path: Path) -> None:
    async with connected(tmp_path, "read()\nos.close(1)\nuntil_the_end()") as connection:
        assert (await connection.request("m")).kind is ReplyKind.CLOSED
        assert (await connection.request("n")).kind is ReplyKind.UNSENT
        assert await connection.death(0.1) is None


async def test_a_server_that_closes_stdin_and_lives_on(tmp_path: Path) -> None:
    async with connected(tmp_path, "read()\nos.close(0)\nraw(b'closed\\n')\nstay()") as connection:
        assert await connection.notify("n")
        await until(lambda: connection.transcript.received > 0)
        with anyio.fail_after(5.0):
            assert (await connection.request("m")).kind is ReplyKind.UNSENT
        assert not await connection.notify("n")


async def test_an_exit_during_a_call_is_seen_with_all_that_was_said(tmp_path: Path) -> None:
    body = "read()\nos.write(2, b'x' * 60000 + b'last words')\nraw(b'half a line')\nos._exit(7)"
    async with connected(tmp_path, body) as connection:
        reply = await connection.request("tools/call", {"name": "add", "arguments": {}})
        assert reply.kind is ReplyKind.CLOSED
        assert await connection.death(5.0) == Exit(code=7)
        assert connection.stderr.tail(10) == "[last 10 of 60010 bytes] …last words"
        (frame,) = received(connection)
        assert (frame.excerpt, frame.during) == ("half a line", "tools/call add")
        assert [fault.code.value for fault in frame.faults] == ["not-json", "no-newline"]


async def test_a_signal_is_told(tmp_path: Path) -> None:
    async with connected(tmp_path, "read()\nos.kill(os.getpid(), signal.SIGKILL)") as connection:
        assert (await connection.request("m")).kind is ReplyKind.CLOSED
        assert await connection.death(5.0) == Exit(signal=9)


async def test_a_server_that_never_reads_holds_nobody_up(tmp_path: Path) -> None:
    async with connected(tmp_path, "stay()", SHORT) as connection:
        began = time.monotonic()
        reply = await connection.request("tools/call", {"name": "a", "arguments": {"s": "x" * 10_000_000}})
        assert reply.kind is ReplyKind.TIMEOUT
        assert not await connection.notify("n")
        assert (await connection.request("m")).kind is ReplyKind.TIMEOUT
        assert time.monotonic() - began < 5.0


async def test_a_server_that_reads_late_never_sees_half_a_message(tmp_path: Path) -> None:
    body = """
    time.sleep(1.0)
    first, second = read(), read()
    answer(second, {"first": len(first["params"]["s"]), "second": second["method"]})
    until_the_end()
    """
    async with connected(tmp_path, body, SHORT) as connection:
        assert (await connection.request("long", {"s": "x" * 1_000_000})).kind is ReplyKind.TIMEOUT
        assert not await connection.notify("dropped")
        reply = await connection.request("short", timeout=10.0)
        assert reply.fields == {"first": 1_000_000, "second": "short"}
        sent = [frame.method for frame in connection.transcript.frames if frame.direction is Direction.SENT]
        assert sent == ["long", "short"]


async def test_an_answer_before_all_was_read_is_taken(tmp_path: Path) -> None:
    body = 'os.read(0, 10)\nraw(b\'{"jsonrpc":"2.0","id":1,"result":{}}\\n\')\nstay()'
    async with connected(tmp_path, body) as connection:
        began = time.monotonic()
        assert (await connection.request("m", {"s": "x" * 1_000_000})).kind is ReplyKind.RESULT
        assert time.monotonic() - began < 5.0


async def test_an_answer_over_the_limit_of_a_line(tmp_path: Path) -> None:
    body = """
    request = read()
    answer(request, {"s": "x" * 3_000_000})
    answer(read())
    until_the_end()
    """
    async with connected(tmp_path, body, replace(LIMITS, line_bytes=1_000_000)) as connection:
        reply = await connection.request("tools/call", {"name": "big"})
        assert (reply.kind, codes(reply)) == (ReplyKind.TOO_LARGE, ["too-large"])
        assert reply.size > 3_000_000
        assert len(reply.excerpt) < 500
        assert (await connection.request("m")).kind is ReplyKind.RESULT
        (hit,) = connection.limits_hit
        assert (hit.limit, hit.value, hit.where) == ("line bytes", 1_000_000, "tools/call big")


async def test_too_many_values_and_too_deep_are_limits_too(tmp_path: Path) -> None:
    body = r"""
    read()
    raw(b'{"jsonrpc":"2.0","id":1,"result":{"a":[' + b'0,' * 1_000_000 + b'0]}}\n')
    read()
    raw(b'{"jsonrpc":"2.0","id":2,"result":{"a":' + b'[' * 600 + b']' * 600 + b'}}\n')
    until_the_end()
    """
    async with connected(tmp_path, body) as connection:
        assert (await connection.request("values")).kind is ReplyKind.TOO_LARGE
        assert (await connection.request("depth")).kind is ReplyKind.MALFORMED
        assert [(hit.limit, hit.value, hit.where) for hit in connection.limits_hit] == [
            ("values of a line", 1_000_000, "values"),
            ("JSON depth", 512, "depth"),
        ]


@pytest.mark.parametrize(
    ("changes", "limit"),
    [({"stdout_bytes": 100_000}, "stdout bytes"), ({"stdout_lines": 500}, "stdout lines")],
)
async def test_past_the_limit_of_stdout_nothing_is_read_but_the_end_is_orderly(
    tmp_path: Path, changes: dict[str, int], limit: str
) -> None:
    body = r"read(); raw((b'x' * 99 + b'\n') * 20_000 + b'unfinished'); until_the_end()"
    async with connected(tmp_path, body, replace(LIMITS, **changes)) as connection:
        assert (await connection.request("m")).kind is ReplyKind.TOO_LARGE
        assert (await connection.request("n")).kind is ReplyKind.UNSENT
        assert [(hit.limit, hit.where) for hit in connection.limits_hit] == [(limit, "m")]
        assert connection.stdout_bytes < 300_000
        assert all(
            fault.code.value != "no-newline" for frame in received(connection) for fault in frame.faults
        )
        shutdown = await connection.close()
        assert not shutdown.sent_sigterm


async def test_200000_notifications_before_an_answer(tmp_path: Path) -> None:
    body = """
    request = read()
    for _ in range(200):
        raw(b'{"jsonrpc":"2.0","method":"notifications/message","params":{}}\\n' * 1000)
    answer(request, {"a": 1})
    until_the_end()
    """
    async with connected(tmp_path, body, replace(LIMITS, request_s=60.0)) as connection:
        reply = await connection.request("m")
        assert reply.fields == {"a": 1}
        assert connection.transcript.received == 200_001
        assert connection.transcript.methods == {"notifications/message": 200_000}
        assert len(connection.transcript.frames) <= 2 * LIMITS.kept_frames


async def test_requests_of_the_server_are_answered(tmp_path: Path) -> None:
    body = """
    request = read()
    answers = []
    for identity, method in (("s1", "ping"), (7, "roots/list"), (None, "ping")):
        send(id=identity, method=method)
        answers.append(read())
    answer(request, {"answers": answers})
    until_the_end()
    """
    async with connected(tmp_path, body) as connection:
        answers = (await connection.request("m")).fields["answers"]
        assert isinstance(answers, list)
        ping, roots, bad = (answer for answer in answers if isinstance(answer, dict))
        assert ping == {"jsonrpc": "2.0", "id": "s1", "result": {}}
        assert isinstance(roots["error"], dict)
        assert isinstance(bad["error"], dict)
        assert (roots["id"], roots["error"]["code"]) == (7, -32601)
        assert (bad["id"], bad["error"]["code"]) == (None, -32600)


async def test_a_flood_of_requests_is_answered_up_to_a_bound(tmp_path: Path) -> None:
    body = """
    request = read()
    for number in range(1_500):
        send(id=f"s{number}", method="ping")
    answer(request)
    until_the_end()
    """
    async with connected(tmp_path, body) as connection:
        assert (await connection.request("m")).kind is ReplyKind.RESULT
        assert [(hit.limit, hit.value) for hit in connection.limits_hit] == [
            ("requests of the server answered", 1_000)
        ]


async def test_a_flood_on_stderr_is_drained_and_counted(tmp_path: Path) -> None:
    body = """
    request = read()
    for _ in range(320):
        os.write(2, b"e" * 65535 + b"\\n")
    os.write(2, b"the end")
    answer(request)
    until_the_end()
    """
    async with connected(tmp_path, body) as connection:
        assert (await connection.request("m")).kind is ReplyKind.RESULT
        await connection.close()
        assert (connection.stderr.total, connection.stderr.lines) == (320 * 65536 + 7, 320)
        assert connection.stderr.tail(7).endswith("…the end")
        assert connection.stderr.truncated


async def test_requests_side_by_side_get_their_own_answers(tmp_path: Path) -> None:
    body = """
    requests = [read() for _ in range(20)]
    for request in reversed(requests):
        answer(request, {"method": request["method"]})
    until_the_end()
    """
    replies: dict[str, Reply] = {}
    async with connected(tmp_path, body) as connection:

        async def one(method: str) -> None:
            replies[method] = await connection.request(method)

        async with anyio.create_task_group() as tasks:
            for number in range(20):
                tasks.start_soon(one, f"m{number}")
        assert {method: reply.fields for method, reply in replies.items()} == {
            f"m{number}": {"method": f"m{number}"} for number in range(20)
        }
        assert {frame.during for frame in received(connection)[:1]} == {"m0 and 19 more"}
        assert connection.transcript.invalid == 0


async def test_each_line_bears_its_phase(tmp_path: Path) -> None:
    body = r"""
    raw(b'at start\n')
    request = read()
    good = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
    line = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": good})
    raw(line.encode() + b'\nafter initialize\n')
    read()
    call = read()
    raw(b'in the call\n')
    answer(call)
    sys.stdin.buffer.readline()
    raw(b'at shut')
    raw(b'down\nunfinished')
    """
    async with connector(tmp_path, body).session() as session:
        connection = session.connection
        assert (await session.call_tool("add", {})).kind is ReplyKind.RESULT
        await connection.close()
        seen = [(frame.excerpt, frame.phase, frame.during) for frame in received(connection) if frame.faults]
        assert seen == [
            ("at start", Phase.STARTUP, "initialize"),
            ("after initialize", Phase.POST_INITIALIZE, None),
            ("in the call", Phase.OPERATION, "tools/call add"),
            ("at shutdown", Phase.SHUTDOWN, None),
            ("unfinished", Phase.SHUTDOWN, None),
        ]


async def test_noise_behind_the_last_answer_is_not_laid_to_the_call(tmp_path: Path) -> None:
    body = r"""
    call = read()
    raw(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": {}}).encode() + b'\nafterwards\n')
    until_the_end()
    """
    async with ready(tmp_path, body) as session:
        await session.call_tool("add", {})
        await session.connection.close()
        (noise,) = session.connection.transcript.faulty
        assert (noise.excerpt, noise.phase, noise.during) == ("afterwards", Phase.POST_INITIALIZE, None)


async def test_a_phase_that_was_set_is_kept(tmp_path: Path) -> None:
    async with ready(tmp_path, "while True:\n    answer(read())") as session:
        session.connection.phase = Phase.ADVERSARIAL
        await session.call_tool("add", {})
        assert session.connection.phase is Phase.ADVERSARIAL
        assert received(session.connection)[-1].phase is Phase.ADVERSARIAL


async def test_a_cancelled_request_leaves_nothing_in_flight(tmp_path: Path) -> None:
    body = "slow, quick = read(), read()\nanswer(slow)\nanswer(quick)\nuntil_the_end()"
    async with ready(tmp_path, body) as session:
        with anyio.move_on_after(0.2) as scope:
            await session.connection.request("slow")
        assert scope.cancelled_caught
        assert session.connection.phase is Phase.POST_INITIALIZE
        assert (await session.connection.request("quick")).kind is ReplyKind.RESULT
        assert received(session.connection)[-2].late


async def test_cancelling_a_session_ends_the_server(tmp_path: Path) -> None:
    began = time.monotonic()
    with anyio.move_on_after(0.5) as scope:
        async with ready(tmp_path, "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nstay()") as session:
            await session.call_tool("add", {})
    assert scope.cancelled_caught
    assert time.monotonic() - began < 5.0


async def test_an_exception_in_a_session_comes_out_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        async with ready(tmp_path, "until_the_end()"):
            _ = 1 / 0


async def test_writing_without_a_context_is_an_error_of_the_caller(tmp_path: Path) -> None:
    async with connected(tmp_path, "until_the_end()") as running:
        bare = Connection(running.process, LIMITS, None)
        with pytest.raises(RuntimeError, match="only while its context lasts"):
            await bare.notify("n")
