"""Lists of advertised capabilities: which end is which finding, and when there is nothing to judge."""

from dataclasses import replace

import pytest

from mcp_check_core.process.launch import Breach
from mcp_check_core.wire.message import RpcError
from mcp_check_core.wire.reply import Reply, ReplyKind
from mcp_stdio_guard.facts.run import ListFacts, ListOutcome
from mcp_stdio_guard.rules.capability_lists import BLOCK
from mcp_stdio_guard.rules.declare import NO_SESSION
from tools.stdio_guard.tests.built import abstained, findings, listing, reply, run
from tools.stdio_guard.tests.rules.judged import codes_of, one, reasons, told

SDK_1 = "Invalid request parameters"


def ended(kind: ReplyKind, *, code: int = 0, message: str = "no", pages: int = 0) -> ListFacts:
    error = RpcError(code, message) if kind is ReplyKind.ERROR else None
    answer = Reply(kind, 2, "prompts/list", 1.0, error=error)
    return ListFacts("prompts/list", (), pages, ListOutcome.NO_RESULT, answer)


def code_of(facts: ListFacts) -> str:
    return one(BLOCK, run(lists=[facts])).rule_id.removeprefix("guard/capability-list-")


def test_without_lists_every_rule_says_why_it_abstains() -> None:
    refused = run(initialize=reply("initialize", ReplyKind.TIMEOUT))
    assert reasons(BLOCK, refused) == dict.fromkeys(codes_of(BLOCK), NO_SESSION)
    unasked = reasons(BLOCK, replace(run(), lists_asked=False))
    assert unasked == dict.fromkeys(codes_of(BLOCK), "this profile asks for no lists")
    none = reasons(BLOCK, run())
    assert none == dict.fromkeys(codes_of(BLOCK), "the server advertises no tools, resources or prompts")
    assert reasons(BLOCK, run(lists=[listing()])) == {}


@pytest.mark.parametrize("kind", [ReplyKind.CLOSED, ReplyKind.UNSENT])
def test_a_server_that_goes_away_does_not_answer(kind: ReplyKind) -> None:
    assert code_of(ended(kind)) == "missing-response"


def test_an_error_counts_though_we_ended_the_run() -> None:
    facts = run(lists=[ended(ReplyKind.ERROR, code=-32603)], process={"breach": Breach("rss", 1.0, 2.0)})
    assert told(BLOCK, facts) == {("capability-list-error", "error", "error")}
    silent = run(lists=[ended(ReplyKind.TIMEOUT)], process={"breach": Breach("rss", 1.0, 2.0)})
    assert findings(BLOCK, silent) == []


@pytest.mark.parametrize(
    ("code", "message", "pages", "expected"),
    [
        (-32601, "Method not found", 0, "unsupported"),
        (-32601, "Method not found", 1, "error"),
        (-32602, SDK_1, 0, "unsupported"),
        (-32602, SDK_1, 2, "error"),
        (-32602, "cursor is not known", 0, "error"),
        (-32000, SDK_1, 0, "error"),
    ],
)
def test_what_an_unknown_method_is(code: int, message: str, pages: int, expected: str) -> None:
    assert code_of(ended(ReplyKind.ERROR, code=code, message=message, pages=pages)) == expected


def test_a_list_without_its_backend_could_not_be_looked_at() -> None:
    facts = run(lists=[ended(ReplyKind.ERROR, code=-32603, message="connect ECONNREFUSED 127.0.0.1:5432")])
    assert findings(BLOCK, facts) == []
    assert reasons(BLOCK, facts) == {
        "capability-list-error": (
            "prompts/list failed for want of the network: connect ECONNREFUSED 127.0.0.1:5432"
        )
    }
    assert abstained(BLOCK, facts) == {"capability-list-error": True}


def test_a_file_that_is_missing_is_the_servers_own_fault() -> None:
    message = "ENOENT: no such file or directory, scandir '/home/user/.cache/own'"
    assert code_of(ended(ReplyKind.ERROR, code=-32603, message=message)) == "error"
    other = "the network is unreachable"
    assert code_of(ended(ReplyKind.ERROR, code=-32601, message=other)) == "unsupported"


def test_a_list_other_than_templates_is_not_optional() -> None:
    assert one(BLOCK, run(lists=[ended(ReplyKind.ERROR, code=-32601)])).severity.value == "error"


def test_the_page_is_named_that_is_missing() -> None:
    first = one(BLOCK, run(lists=[ended(ReplyKind.TIMEOUT)]))
    assert first.message == "The server did not answer prompts/list within 5 s."
    third = one(BLOCK, run(lists=[ended(ReplyKind.TIMEOUT, pages=2)]))
    assert third.message == "The server did not answer page 3 of prompts/list within 5 s."


@pytest.mark.parametrize(
    ("outcome", "severity"),
    [
        (ListOutcome.REPEATED_CURSOR, "error"),
        (ListOutcome.PAGE_LIMIT, "error"),
        (ListOutcome.ITEM_LIMIT, "warning"),
    ],
)
def test_endless_lists(outcome: ListOutcome, severity: str) -> None:
    facts = run(lists=[listing({}, outcome=outcome)])
    assert told(BLOCK, facts) == {("capability-list-endless", outcome.value, severity)}


def test_a_bad_shape_of_the_tools_is_judged_elsewhere() -> None:
    bad = listing(method="prompts/list", outcome=ListOutcome.BAD_SHAPE)
    assert told(BLOCK, run(lists=[bad])) == {("capability-list-error", "shape", "error")}
    assert findings(BLOCK, run(lists=[listing(outcome=ListOutcome.BAD_SHAPE)])) == []


OFFLINE = "getaddrinfo ENOTFOUND api.example.org"


@pytest.mark.parametrize(
    ("kind", "error", "told_as"),
    [
        (ReplyKind.ERROR, RpcError(-32603, OFFLINE), set()),
        (ReplyKind.ERROR, RpcError(-32601, OFFLINE), {"capability-list-unsupported"}),
        (ReplyKind.ERROR, RpcError(-32603, "no"), {"capability-list-error"}),
        (ReplyKind.ERROR, None, {"capability-list-error"}),
        (ReplyKind.CLOSED, RpcError(-32603, OFFLINE), {"capability-list-missing-response"}),
    ],
)
def test_a_list_without_its_backend_could_not_be_told(
    kind: ReplyKind, error: RpcError | None, told_as: set[str]
) -> None:
    facts = ListFacts(
        "prompts/list", (), 0, ListOutcome.NO_RESULT, Reply(kind, 2, "prompts/list", 1.0, error=error)
    )
    assert {code for code, _, _ in told(BLOCK, run(lists=[facts]))} == told_as
    assert bool(reasons(BLOCK, run(lists=[facts]))) is not bool(told_as)
