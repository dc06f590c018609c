"""How a call ended, read from replies."""

from typing import Any

import pytest

from mcp_check_core.judges.environment import EnvironmentKind
from mcp_check_core.wire.message import RpcError
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_reality_check.facts.outcome import Outcome, read_ending

from .making import result


def reply(kind: ReplyKind, **more: Any) -> Reply:  # noqa: ANN401 - members of a reply
    return Reply(kind, 1, "tools/call", 1.0, **more)


def answered(value: Any) -> Reply:  # noqa: ANN401 - whatever a server sends
    return reply(ReplyKind.RESULT, result=value)


@pytest.mark.parametrize(
    ("made", "outcome"),
    [
        (answered(result("fine")), Outcome.ANSWERED),
        (answered(result("no", isError=True)), Outcome.ERROR),
        (answered({"content": "hello"}), Outcome.UNREADABLE),
        (answered({}), Outcome.UNREADABLE),
        (answered({"resultType": "input_required", "inputRequests": {}}), Outcome.NEEDS_INPUT),
        (reply(ReplyKind.ERROR, error=RpcError(-32602, "bad")), Outcome.ERROR),
        (reply(ReplyKind.ERROR), Outcome.ERROR),
        (reply(ReplyKind.TIMEOUT), Outcome.TIMEOUT),
        (reply(ReplyKind.MALFORMED), Outcome.UNREADABLE),
        (reply(ReplyKind.TOO_LARGE), Outcome.TOO_LARGE),
        (reply(ReplyKind.CLOSED), Outcome.CRASH),
        (reply(ReplyKind.UNSENT), Outcome.CRASH),
        (reply(ReplyKind.MALFORMED, status=401), Outcome.ERROR),
    ],
)
def test_outcomes(made: Reply, outcome: Outcome) -> None:
    assert read_ending(made).outcome is outcome


@pytest.mark.parametrize(
    ("made", "lacks"),
    [
        (answered(result("getaddrinfo ENOTFOUND api.example.org", isError=True)), EnvironmentKind.NETWORK),
        (reply(ReplyKind.ERROR, error=RpcError(-32000, "fetch failed")), EnvironmentKind.NETWORK),
        (reply(ReplyKind.ERROR, error=RpcError(-32042, "open this")), EnvironmentKind.CREDENTIAL),
        (reply(ReplyKind.MALFORMED, status=403), EnvironmentKind.CREDENTIAL),
        (answered(result("there is no such note", isError=True)), None),
        (answered(result("getaddrinfo ENOTFOUND api.example.org")), None),
    ],
)
def test_what_was_missing(made: Reply, lacks: EnvironmentKind | None) -> None:
    assert read_ending(made).environment is lacks
