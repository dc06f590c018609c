from pathlib import Path

import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_check_core.wire.rounds import answers
from mcp_check_core.wire.versions import LATEST_MODERN
from tools.core.tests.wire.servers import connector, ready

pytestmark = pytest.mark.anyio

ASK = """
rounds = []
def ask(request):
    params = request["params"]
    rounds.append((request["id"], {name: params[name] for name in params if name.startswith(("inp", "req"))}))
    if len(rounds) <= TIMES:
        answer(request, {"resultType": "input_required", **WHAT})
    else:
        complete(request, rounds=rounds)
modern(ask)
"""
QUESTION: dict[str, Json] = {"method": "elicitation/create", "params": {"message": "really?"}}


def asking(result: dict[str, Json]) -> Reply:
    return Reply(ReplyKind.RESULT, 1, "tools/call", 1.0, result={"resultType": "input_required", **result})


async def ask(folder: Path, what: dict[str, Json], times: int = 1) -> Reply:
    body = f"TIMES, WHAT = {times}, {what!r}\n" + ASK
    async with connector(folder, body).session(LATEST_MODERN) as session:
        reply = await session.call_tool("t", {})
        assert session.calls == 1
        return reply


async def test_a_question_to_a_person_is_cancelled_with_the_state_unchanged(tmp_path: Path) -> None:
    reply = await ask(tmp_path, {"inputRequests": {"q": QUESTION}, "requestState": "opaque"})
    assert reply.needs_input is None
    assert reply.asked == ("elicitation/create",)
    assert reply.fields["rounds"] == [
        [2, {}],
        [3, {"inputResponses": {"q": {"action": "cancel"}}, "requestState": "opaque"}],
    ]


async def test_a_state_alone_is_brought_back(tmp_path: Path) -> None:
    reply = await ask(tmp_path, {"requestState": "s"}, times=2)
    assert reply.fields["rounds"] == [[2, {}], [3, {"requestState": "s"}], [4, {"requestState": "s"}]]
    assert reply.asked == ()


async def test_a_server_that_asks_for_ever_is_left(tmp_path: Path) -> None:
    reply = await ask(tmp_path, {"inputRequests": {"q": QUESTION}}, times=99)
    assert reply.needs_input == ("elicitation/create",)
    assert reply.asked == ("elicitation/create",) * 4
    assert reply.id == 5


async def test_what_no_client_without_capabilities_can_give_stays_unanswered(tmp_path: Path) -> None:
    sampling: dict[str, Json] = {"method": "sampling/createMessage", "params": {}}
    reply = await ask(tmp_path, {"inputRequests": {"q": QUESTION, "s": sampling}})
    assert reply.needs_input == ("elicitation/create", "sampling/createMessage")
    assert reply.asked == reply.needs_input
    assert reply.id == 2


async def test_all_rounds_have_one_deadline(tmp_path: Path) -> None:
    body = """
    def ask(request):
        if "requestState" not in request["params"]:
            answer(request, {"resultType": "input_required", "requestState": "s"})
    modern(ask)
    """
    async with connector(tmp_path, body).session(LATEST_MODERN) as session:
        reply = await session.call_tool("t", {}, timeout=0.4)
        assert reply.kind is ReplyKind.TIMEOUT
        assert 390 < reply.duration_ms < 3_000


async def test_the_handshake_era_knows_no_requests_for_input(tmp_path: Path) -> None:
    body = "answer(read(), {'resultType': 'input_required', 'requestState': 's'})\nuntil_the_end()"
    async with ready(tmp_path, body) as session:
        reply = await session.call_tool("t", {})
        assert (reply.id, reply.asked) == (2, ())


@pytest.mark.parametrize(
    ("result", "needs", "more"),
    [
        ({}, (), None),
        ({"inputRequests": {}}, (), None),
        ({"inputRequests": []}, ("?",), None),
        ({"inputRequests": {"a": 1}}, ("?",), None),
        ({"inputRequests": {"a": {"method": 5}}}, ("?",), None),
        ({"inputRequests": {str(number): QUESTION for number in range(21)}}, ("?",), None),
        ({"requestState": 5}, (), None),
        ({"inputRequests": {}, "requestState": "s"}, (), {"requestState": "s"}),
        ({"inputRequests": {"a": {"method": "roots/list"}}, "requestState": "s"}, ("roots/list",), None),
    ],
)
def test_what_can_be_said_to_a_request_for_input(
    result: dict[str, Json], needs: tuple[str, ...], more: dict[str, Json] | None
) -> None:
    assert (asking(result).needs_input, answers(asking(result))) == (needs, more)


def test_a_complete_result_needs_nothing() -> None:
    complete = Reply(ReplyKind.RESULT, 1, "tools/call", 1.0, result={"resultType": "complete"})
    assert (complete.needs_input, answers(complete), complete.asked) == (None, None, ())
