"""Drift: what is compared, how it is told, and when there is nothing to compare."""

from mcp_check_core.model.json_value import Json
from mcp_check_core.wire.reply import ReplyKind
from mcp_stdio_guard.facts.run import ListOutcome, RunFacts
from mcp_stdio_guard.rules.drift import BLOCK
from tools.stdio_guard.tests.built import RESULT, findings, listing, reply, run, tool
from tools.stdio_guard.tests.rules.judged import codes_of, one, reasons, told

FEW = "fewer than two runs listed all their tools"


def with_tools(*names: str, number: int = 1) -> RunFacts:
    return run(number=number, lists=[listing(*(tool(name) for name in names))])


def with_capabilities(*names: str, number: int = 1) -> RunFacts:
    capabilities: dict[str, Json] = {name: {} for name in names}
    return run(number=number, result={**RESULT, "capabilities": capabilities})


def dead(number: int) -> RunFacts:
    return run(number=number, initialize=reply("initialize", ReplyKind.TIMEOUT))


def test_two_runs_with_a_handshake_are_needed() -> None:
    one_run = dict.fromkeys(codes_of(BLOCK), "there was one run; --repeat 2 compares two")
    assert reasons(BLOCK, [run()]) == one_run
    one_able = dict.fromkeys(codes_of(BLOCK), "fewer than two runs made the handshake")
    assert reasons(BLOCK, [run(), dead(2)]) == one_able
    assert reasons(BLOCK, [dead(1), run(number=2)]) == one_able


def test_runs_without_a_handshake_are_left_out() -> None:
    runs = [with_tools("a"), dead(2), with_tools("b", number=3)]
    assert one(BLOCK, runs).evidence == {"run": 3, "gone": ["a"], "new": ["b"]}
    assert findings(BLOCK, [with_tools("a"), dead(2), with_tools("a", number=3)]) == []


def test_what_was_not_listed_whole_is_not_compared() -> None:
    base = with_tools("a")
    cut = run(number=2, lists=[listing(tool("b"), outcome=ListOutcome.PAGE_LIMIT)])
    expected = {"repeat-tool-drift": FEW, "repeat-definition-drift": FEW}
    none = "no list of resources or prompts was read whole"
    assert reasons(BLOCK, [base, cut]) == {**expected, "repeat-list-shape-drift": none}
    assert reasons(BLOCK, [cut, base]) == {**expected, "repeat-list-shape-drift": none}
    assert reasons(BLOCK, [base, run(number=2)])["repeat-tool-drift"] == FEW
    assert reasons(BLOCK, [base, with_tools("a", number=2)]) == {"repeat-list-shape-drift": none}
    assert one(BLOCK, [base, cut, with_tools("b", number=3)]).evidence["run"] == 3


def test_lists_of_prompts_are_compared_where_both_runs_have_them() -> None:
    prompts = run(lists=[listing({}, method="prompts/list")])
    more = run(number=2, lists=[listing({}, {}, method="prompts/list")])
    assert one(BLOCK, [prompts, more]).message == "prompts/list had 1 items in run 1, 2 in run 2."
    assert "repeat-list-shape-drift" not in reasons(BLOCK, [prompts, more])
    assert findings(BLOCK, [prompts, run(number=2)]) == []


def test_capabilities_that_come_and_go_are_named() -> None:
    changed = one(BLOCK, [with_capabilities("tools", "logging"), with_capabilities("prompts", number=2)])
    assert changed.message == (
        "Run 2 advertised other capabilities than run 1: without logging, tools, with prompts."
    )
    gone = one(BLOCK, [with_capabilities("tools", "logging"), with_capabilities("tools", number=2)])
    assert gone.message == "Run 2 advertised other capabilities than run 1: without logging."


def test_many_names_are_counted() -> None:
    three = one(BLOCK, [with_tools(), with_tools("a", "b", "c", number=2)])
    assert three.message.endswith(": with a, b, c.")
    five = one(BLOCK, [with_tools(), with_tools("a", "b", "c", "d", "e", number=2)])
    assert five.message.endswith(": with a, b, c and 2 more.")


def test_each_tool_is_told_once_and_only_where_it_changed() -> None:
    def defined(number: int, text: str) -> RunFacts:
        return run(number=number, lists=[listing(tool("a", description=text), tool("b"))])

    found = findings(BLOCK, [defined(1, "One."), defined(2, "Two."), defined(3, "Three.")])
    assert [(one.location.tool, one.evidence["run"]) for one in found] == [("a", 2)]


def test_the_version_is_told_once() -> None:
    def agreed(number: int, version: str) -> RunFacts:
        return run(number=number, result={**RESULT, "protocolVersion": version})

    runs = [agreed(1, "2025-11-25"), agreed(2, "2025-06-18"), agreed(3, "2025-03-26")]
    assert told(BLOCK, runs) == {("repeat-protocol-drift", None, "warning")}
    assert one(BLOCK, runs).evidence == {"run": 2, "before": "2025-11-25", "after": "2025-06-18"}
