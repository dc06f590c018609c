"""Requests that were asked for, and versions that nobody speaks."""

from dataclasses import replace

import pytest

from mcp_check_core.process.launch import Breach, Exit
from mcp_check_core.wire.message import RpcError
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_stdio_guard.facts.run import Operation, RunFacts
from mcp_stdio_guard.facts.versions import VersionOffer
from mcp_stdio_guard.rules import operations, version_offers
from mcp_stdio_guard.rules.declare import NO_SESSION
from tools.stdio_guard.tests.built import RESULT, findings, reply, run
from tools.stdio_guard.tests.rules.judged import codes_of, one, reasons, told

FUTURE = "2999-01-01"


def asked(kind: ReplyKind, **process: object) -> RunFacts:
    answer = Operation("notes/read", None, reply("notes/read", kind, code=-32000))
    return replace(run(process=process), operations=(answer,))


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (ReplyKind.RESULT, None),
        (ReplyKind.MALFORMED, None),
        (ReplyKind.ERROR, "operation-error"),
        (ReplyKind.TIMEOUT, "operation-timeout"),
        (ReplyKind.CLOSED, "operation-missing-response"),
        (ReplyKind.UNSENT, "operation-missing-response"),
    ],
)
def test_the_end_of_a_request(kind: ReplyKind, code: str | None) -> None:
    expected = {(code, None, "error")} if code else set()
    assert told(operations.BLOCK, asked(kind)) == expected
    assert reasons(operations.BLOCK, asked(kind)) == {}


def test_a_request_that_we_cut_off_is_not_missing() -> None:
    assert findings(operations.BLOCK, asked(ReplyKind.CLOSED, breach=Breach("rss", 1.0, 2.0))) == []


def test_an_error_without_its_object_is_judged_elsewhere() -> None:
    answer = Operation("notes/read", None, Reply(ReplyKind.ERROR, 1, "notes/read", 1.0))
    assert findings(operations.BLOCK, replace(run(), operations=(answer,))) == []


def test_without_a_request_the_rules_abstain() -> None:
    all_codes = codes_of(operations.BLOCK)
    assert reasons(operations.BLOCK, run()) == dict.fromkeys(
        all_codes, "no request was asked for (--request)"
    )
    refused = run(initialize=reply("initialize", ReplyKind.TIMEOUT))
    assert reasons(operations.BLOCK, refused) == dict.fromkeys(all_codes, NO_SESSION)


@pytest.mark.parametrize(
    ("gone", "alone", "detail"),
    [
        (Exit(0), True, "clean-exit-during-operation"),
        (Exit(2), True, "nonzero-exit-during-operation"),
        (Exit(signal=9), True, "signal-exit-during-operation"),
        (Exit(2), False, None),
        (None, True, None),
    ],
)
def test_how_a_server_went_away(gone: Exit | None, alone: bool, detail: str | None) -> None:
    found = one(operations.BLOCK, asked(ReplyKind.CLOSED, exit=gone, alone=alone))
    assert found.evidence.get("detailCode") == detail


def offer(kind: ReplyKind, *, number: int = 1, version: str | None = None) -> VersionOffer:
    error = RpcError(-32602, "unsupported") if kind is ReplyKind.ERROR else None
    result = {**RESULT, "protocolVersion": version} if kind is ReplyKind.RESULT else None
    return VersionOffer(number, FUTURE, Reply(kind, 1, "initialize", 1.0, result=result, error=error))


@pytest.mark.parametrize(
    ("kind", "told_as"),
    [
        (ReplyKind.ERROR, "error"),
        (ReplyKind.TIMEOUT, "silence"),
        (ReplyKind.CLOSED, "exit"),
        (ReplyKind.UNSENT, "exit"),
        (ReplyKind.MALFORMED, None),
    ],
)
def test_a_refusal_counts_for_the_first_offer_of_a_process(kind: ReplyKind, told_as: str | None) -> None:
    expected = {("version-reject", told_as, "error")} if told_as else set()
    assert told(version_offers.BLOCK, [offer(kind)]) == expected
    assert findings(version_offers.BLOCK, [offer(kind, number=2)]) == []


def test_an_error_without_its_object_is_no_refusal() -> None:
    bare = VersionOffer(1, FUTURE, Reply(ReplyKind.ERROR, 1, "initialize", 1.0))
    assert findings(version_offers.BLOCK, [bare]) == []


def test_an_echo_counts_wherever_it_comes() -> None:
    echo = offer(ReplyKind.RESULT, number=2, version=FUTURE)
    right = offer(ReplyKind.RESULT, version="2025-11-25")
    assert told(version_offers.BLOCK, [right, echo]) == {("version-echo", None, "error")}
    assert findings(version_offers.BLOCK, [right, right]) == []
