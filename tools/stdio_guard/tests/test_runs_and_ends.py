"""Lists, ends of processes, drift and the Python command, judged on facts."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.process.launch import Breach, Exit, Member, Shutdown
from mcp_check_core.wire.reply import ReplyKind
from mcp_check_core.wire.transcript import Phase
from mcp_stdio_guard.engine.python_command import buffers_output
from mcp_stdio_guard.facts.run import ListFacts, ListOutcome
from mcp_stdio_guard.rules import (
    capability_lists,
    drift,
    ending,
    initialize_answer,
    python_buffering,
    start,
    stdout_lines,
)
from tools.stdio_guard.tests.built import RESULT, abstained, findings, frame, listing, reply, run, tool
from tools.stdio_guard.tests.harness import codes

ORDERLY = Shutdown(20.0, True, False, False, ())


def unanswered(kind: ReplyKind, method: str = "prompts/list", code: int = 0) -> ListFacts:
    return ListFacts(method, (), 0, ListOutcome.NO_RESULT, reply(method, kind, code=code))


@pytest.mark.parametrize(
    ("listing_facts", "expected"),
    [
        (listing(), set()),
        (unanswered(ReplyKind.ERROR, code=-32603), {"capability-list-error"}),
        (unanswered(ReplyKind.ERROR, code=-32601), {"capability-list-unsupported"}),
        (unanswered(ReplyKind.TIMEOUT), {"capability-list-timeout"}),
        (unanswered(ReplyKind.CLOSED), {"capability-list-missing-response"}),
        (unanswered(ReplyKind.MALFORMED), set()),
        (listing(outcome=ListOutcome.REPEATED_CURSOR), {"capability-list-endless"}),
        (listing(outcome=ListOutcome.PAGE_LIMIT), {"capability-list-endless"}),
        (listing(outcome=ListOutcome.BAD_SHAPE), set()),
        (listing(method="prompts/list", outcome=ListOutcome.BAD_SHAPE), {"capability-list-error"}),
    ],
)
def test_lists(listing_facts: ListFacts, expected: set[str]) -> None:
    assert codes(findings(capability_lists.BLOCK, run(lists=[listing_facts]))) == expected


def test_templates_are_optional() -> None:
    missing = unanswered(ReplyKind.ERROR, "resources/templates/list", -32601)
    (found,) = findings(capability_lists.BLOCK, run(lists=[missing]))
    assert found.severity.value == "info"


def test_a_list_that_we_cut_off_is_not_missing() -> None:
    lost = [unanswered(ReplyKind.CLOSED)]
    breach = Breach("rss", 1.0, 2.0)
    assert findings(capability_lists.BLOCK, run(lists=lost, process={"breach": breach})) == []
    assert findings(capability_lists.BLOCK, run(lists=lost, wire={"over_limit": True})) == []


@pytest.mark.parametrize(
    ("gone", "alone", "expected"),
    [
        (Exit(0), False, set()),
        (Exit(3), True, {("server-crashed", "error")}),
        (Exit(signal=11), True, {("server-crashed", "error")}),
        (Exit(), True, {("server-crashed", "error")}),
        (Exit(1), False, {("server-crashed", "info")}),
        (Exit(signal=11), False, {("server-crashed", "warning")}),
    ],
)
def test_ends_after_the_handshake(gone: Exit, alone: bool, expected: set[tuple[str, str]]) -> None:
    facts = run(process={"exit": gone, "alone": alone, "shutdown": ORDERLY, "died_in": Phase.POST_INITIALIZE})
    found = findings(ending.BLOCK, facts)
    assert {(one.rule_id.partition("/")[2], one.severity.value) for one in found} == expected


def test_an_end_for_a_limit_of_ours_is_no_crash() -> None:
    breach = Breach("rss", 1.0, 2.0)
    facts = run(process={"exit": Exit(signal=9), "alone": True, "shutdown": ORDERLY, "breach": breach})
    assert findings(ending.BLOCK, facts) == []
    assert findings(start.BLOCK, facts) == []


@pytest.mark.parametrize(
    ("shutdown", "expected"),
    [
        (ORDERLY, set()),
        (Shutdown(2100.0, True, True, False, ()), {"slow-shutdown"}),
        (Shutdown(4100.0, True, True, True, ()), {"slow-shutdown"}),
        (Shutdown(20.0, True, False, False, (Member(7, "sleep", "sleep 60"),)), {"process-left-behind"}),
    ],
)
def test_shutdown(shutdown: Shutdown, expected: set[str]) -> None:
    facts = run(process={"exit": Exit(0), "shutdown": shutdown})
    assert codes(findings(ending.BLOCK, facts)) == expected


@pytest.mark.parametrize(
    ("gone", "detail"),
    [
        (Exit(0), "clean-exit-before-initialize"),
        (Exit(1), "nonzero-exit-before-initialize"),
        (Exit(signal=9), "signal-exit-before-initialize"),
    ],
)
def test_an_end_before_initialize(gone: Exit, detail: str) -> None:
    facts = run(initialize=reply("initialize", ReplyKind.CLOSED), process={"exit": gone, "alone": True})
    (found,) = findings(start.BLOCK, facts)
    assert (found.rule_id, found.evidence["detailCode"]) == ("guard/server-exited", detail)
    assert findings(initialize_answer.BLOCK, facts) == []
    assert set(abstained(initialize_answer.BLOCK, facts)) == {
        declared.rule.slug for declared in initialize_answer.BLOCK.declared
    }


def test_start_is_slow_above_five_seconds() -> None:
    facts = run()
    assert findings(start.BLOCK, facts) == []
    assert codes(findings(start.BLOCK, replace(facts, startup_ms=5001.0))) == {"slow-startup"}


def test_buffered_answers_must_have_been_seen() -> None:
    answer = '{"jsonrpc":"2.0","id":1,"result":{}}'
    late = frame(answer, phase=Phase.SHUTDOWN, late=True)
    assert codes(findings(python_buffering.BLOCK, run(late, plain_python=True))) == {"python-buffered-stdio"}
    assert findings(python_buffering.BLOCK, run(late, plain_python=False)) == []
    assert findings(python_buffering.BLOCK, run(frame(answer), plain_python=True)) == []
    in_session = frame(answer, phase=Phase.OPERATION, late=True)
    assert findings(python_buffering.BLOCK, run(in_session, plain_python=True)) == []


@pytest.mark.parametrize(
    ("argv", "env", "expected"),
    [
        (("python", "server.py"), {}, True),
        (("/usr/bin/python3.12", "-m", "server"), {}, True),
        (("python", "-P", "server.py"), {}, True),
        (("python", "-u", "server.py"), {}, False),
        (("python", "-Pu", "server.py"), {}, False),
        (("python", "server.py"), {"PYTHONUNBUFFERED": "1"}, False),
        (("python", "-m", "uvicorn"), {}, True),
        (("python", "server.py", "-u"), {}, True),
        (("node", "server.js"), {}, False),
        ((), {}, False),
    ],
)
def test_python_command(argv: tuple[str, ...], env: Mapping[str, str], expected: bool) -> None:
    assert buffers_output(argv, env) is expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("#!/srv/venv/bin/python\nimport sys", True),
        ("#!/srv/venv/bin/python3.11 -u\nimport sys", False),
        ("#!/usr/bin/env python3\nimport sys", True),
        ("#!/usr/bin/env -S python3 -u\nimport sys", False),
        ("#!/bin/sh\n'''exec' \"/srv/a b/bin/python\" \"$0\" \"$@\"\n' '''", True),
        ("#!/usr/bin/env node\n", False),
        ("#!/bin/sh\nexec server", False),
        ("import sys", False),
        ("", False),
    ],
)
def test_a_script_that_names_python_is_python(tmp_path: Path, head: str, expected: bool) -> None:
    script = tmp_path / "server"
    script.write_text(head, "utf-8")
    script.chmod(0o755)
    assert buffers_output((str(script), "--stdio"), {}) is expected
    assert buffers_output(("server",), {"PATH": str(tmp_path)}) is expected
    assert buffers_output((str(script),), {"PYTHONUNBUFFERED": "1"}) is False


def test_a_command_that_cannot_be_read_is_no_python(tmp_path: Path) -> None:
    assert buffers_output((str(tmp_path / "none"),), {}) is False


@pytest.mark.parametrize(
    ("phase", "plain_python", "held"),
    [(Phase.SHUTDOWN, True, True), (Phase.SHUTDOWN, False, False), (Phase.STARTUP, True, False)],
)
def test_noise_at_the_end_of_a_buffered_python_may_be_older(
    phase: Phase, plain_python: bool, held: bool
) -> None:
    noise = frame("Starting the server", phase=phase)
    (found,) = findings(stdout_lines.BLOCK, run(noise, plain_python=plain_python))
    assert found.hint is not None
    assert ("held it back" in found.hint) is held


def drifted(*runs: object) -> set[str]:
    return codes(findings(drift.BLOCK, list(runs)))


def test_order_alone_is_no_drift() -> None:
    one, two = tool("one", a=1, b=2), {"b": 2, "a": 1, **tool("one")}
    first = run(lists=[listing(one, tool("two"))])
    second = run(number=2, lists=[listing(tool("two"), two)])
    assert drifted(first, second) == set()


def test_drift() -> None:
    base = run(lists=[listing(tool()), listing({}, method="prompts/list")])
    other: dict[str, Json] = {
        **RESULT,
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}, "logging": {}},
    }
    assert drifted(base, run(number=2, result=other)) == {"repeat-protocol-drift", "repeat-capability-drift"}
    assert drifted(base, run(number=2, lists=[listing(tool("later"))])) == {"repeat-tool-drift"}
    changed = run(number=2, lists=[listing(tool(description="Other."))])
    assert drifted(base, changed) == {"repeat-definition-drift"}
    shorter = run(number=2, lists=[listing(tool()), listing(method="prompts/list")])
    assert drifted(base, shorter) == {"repeat-list-shape-drift"}


def test_what_was_not_read_whole_is_not_compared() -> None:
    base = run(lists=[listing(tool())])
    cut = run(number=2, lists=[listing(outcome=ListOutcome.PAGE_LIMIT)])
    assert drifted(base, cut) == set()
    assert set(abstained(drift.BLOCK, [base, cut])) >= {"repeat-tool-drift", "repeat-definition-drift"}


def test_one_run_is_not_compared() -> None:
    assert set(abstained(drift.BLOCK, [run()])) == {declared.rule.slug for declared in drift.BLOCK.declared}
