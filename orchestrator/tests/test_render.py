import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from mcp_check_core.model.json_value import Json
from mcp_check_core.report.json_format import dump_document
from mcp_trust_check.fail_on import FailOn
from mcp_trust_check.gate import Gate
from mcp_trust_check.render.markdown import render_markdown
from mcp_trust_check.render.text import render_text
from mcp_trust_check.tool_state import ToolState
from orchestrator.tests.made import finding, merged, report, run, seen, state, states

CRASH = finding(
    "fuzz/crash", "add", message="The server died on a call of add.", reproduce={"method": "tools/call"}
)
NOISE = finding("guard/stdout-non-json", message="Line 1 on stdout is no JSON.")
DESCRIBED = finding("guard/tool-description-missing", "add")
BLOCK = states(
    guard=state("guard", report("guard", [NOISE, DESCRIBED], score=40)),
    fuzz=state("fuzz", report("fuzz", [CRASH], score=60)),
)
UNKNOWN = states(guard=state("guard", b"", stderr_tail="KeyError: 'x'", exit_code=1))


def text(document: dict[str, Json]) -> str:
    return render_text(document, width=100, color=False)


def flat(document: dict[str, Json]) -> str:
    """The text on one line, to look for sentences that may be wrapped."""
    return " ".join(text(document).split())


def test_the_first_lines_give_the_decision_and_why() -> None:
    lines = text(merged(BLOCK)).splitlines()

    assert lines[:4] == [
        "BLOCK  mcp-trust-check 2.0.0  ·  python server.py",
        "  - BLOCK: standard output carries what is not protocol [stdout-not-protocol, guard]:",
        "    guard/stdout-non-json",
        "  - BLOCK: the server died on a request [server-died, fuzz]: fuzz/crash at add",
    ]


def test_the_server_and_a_long_command_stand_on_lines_of_their_own() -> None:
    document: dict[str, Any] = merged(BLOCK)
    long = ["/opt/venv/bin/python", "/srv/" + "deep/" * 12 + "server.py"]
    document["target"] = {**document["target"], "command": long}
    lines = text(document).splitlines()

    assert lines[0] == "BLOCK  mcp-trust-check 2.0.0"
    assert lines[1].startswith("  /opt/venv/bin/python /srv/deep/")
    assert "Server      demo 1.0, protocol 2025-11-25" in lines


def test_markdown_gives_the_decision_and_why_in_three_lines() -> None:
    lines = render_markdown(merged(BLOCK)).splitlines()

    assert lines[0].startswith("### BLOCK · confidence HIGH · score ")
    assert lines[1] == "`python server.py` `demo 1.0, protocol 2025-11-25`"
    assert "the server died on a request" in lines[2]
    assert "standard output carries what is not protocol" in lines[2]


def test_what_a_tool_does_not_do_yet_is_one_short_line() -> None:
    known = states(fuzz=state("fuzz", report("fuzz", details={"notInThisVersion": ["a: x", "b: y"]})))
    line = "fuzz: 2 kinds of checks are not in this version; the JSON report names them"

    assert f"  {line}\n" in text(merged(known))
    assert line in render_markdown(merged(known))
    assert "a: x" in json.dumps(merged(known))


def test_what_is_held_back_is_listed_with_its_reason() -> None:
    document = merged(states(fuzz=state("fuzz", report("fuzz", suppressed=[CRASH]))))

    assert "Suppressed\n  fuzz: fuzz/crash: accepted\n" in text(document)
    assert "<summary>Suppressed (1)</summary>" in render_markdown(document)


def test_a_clean_run_says_that_no_rule_fired() -> None:
    document = merged(states())

    assert text(document).startswith("SHIP  mcp-trust-check 2.0.0")
    assert "no rule that blocks or asks for a fix has fired" in flat(document)
    assert "no rule that blocks or asks for a fix has fired" in render_markdown(document)


def test_findings_say_what_to_do_the_worst_first() -> None:
    shown = text(merged(BLOCK))

    at = [
        shown.index(part) for part in ("BLOCK [error] fuzz/crash", "[warning] guard/tool-description-missing")
    ]
    assert at == sorted(at)
    assert "hint: Mend it." in shown
    assert 'reproduce: {"method": "tools/call"}' in shown


@pytest.mark.parametrize("known", [BLOCK, UNKNOWN, states()], ids=["block", "unknown", "ship"])
def test_counts_agree_in_every_format(known: Sequence[ToolState]) -> None:
    document: dict[str, Any] = json.loads(dump_document(merged(known)))
    lesser = sum(one["decision"] is None for one in document["findings"])
    counts = f"{document['blockerCount']} that block, {document['fixCount']} to fix first, {lesser} lesser"

    assert counts in text(document)
    assert counts in render_markdown(document)
    assert len(re.findall(r"^(?:BLOCK |FIX-FIRST )?\[", text(document), re.MULTILINE)) == len(
        document["findings"]
    )
    assert render_markdown(document).count("<summary>BLOCK") == sum(
        one["decision"] == "BLOCK" for one in document["findings"]
    )


def test_what_does_not_run_in_this_version_is_said_in_words() -> None:
    document = merged(states())

    assert "doctor, lint, reality: not in this version" in text(document)
    assert "doctor, lint, reality: not in this version" in render_markdown(document)
    assert {tool["reason"] for tool in json.loads(dump_document(document))["tools"].values()} == {
        None,
        "not in this version",
    }


def test_a_tool_that_did_not_answer_is_named_with_the_reason() -> None:
    said = "it printed no report and exited with 1, saying \"KeyError: 'x'\""

    assert (
        f"FIX-FIRST: a tool that was meant to answer did not [tool-incomplete, guard]: guard: {said}"
        in flat(merged(UNKNOWN))
    )
    assert f"guard: did not finish: {said}" in flat(merged(UNKNOWN))
    assert "Score none, since a tool did not finish; 100.0 over those that did" in flat(merged(UNKNOWN))


def test_the_stderr_of_a_tool_that_did_not_answer_is_in_markdown() -> None:
    runs = {"guard": run("guard", b"", stderr_tail="KeyError: 'x'", exit_code=1)}

    assert "KeyError: 'x'" in render_markdown(merged(UNKNOWN, runs=runs))


GATES = [
    (Gate(), "--fail-on is never, so this BLOCK exits with 0 all the same"),
    (Gate(FailOn.BLOCK), "fails: the decision is BLOCK, and --fail-on is block; exit code 1"),
    (Gate(fail_under=90), "fails: the combined score 50 is under 90 (--fail-under); exit code 1"),
]


@pytest.mark.parametrize(("gate", "said"), GATES)
def test_the_gate_is_said_in_words(gate: Gate, said: str) -> None:
    assert said in flat(merged(BLOCK, gate))


def test_a_run_that_was_stopped_says_so() -> None:
    document = merged(states(), interrupted="stopped by SIGINT")

    assert "stopped by SIGINT; exit code 130" in flat(document)
    assert "Stopped: stopped by SIGINT" in render_markdown(document)


def test_a_fault_that_two_tools_saw_names_both() -> None:
    left = finding("guard/process-left-behind"), finding("fuzz/process-left-behind")
    document = merged(
        states(guard=state("guard", report("guard", left[:1])), fuzz=state("fuzz", report("fuzz", left[1:])))
    )
    said = "seen by fuzz (fuzz/process-left-behind) and guard (guard/process-left-behind)"

    assert said in flat(document)
    assert said in render_markdown(document)


HOSTILE = "\x1b[31m@octocat <img src=x> [a](http://b.example) `code` ```\n# title\u202e ::error::x"


def test_what_a_server_says_is_inert() -> None:
    bad = finding(
        "fuzz/crash",
        HOSTILE,
        message=HOSTILE,
        hint=HOSTILE,
        evidence={HOSTILE: HOSTILE},
        reproduce=HOSTILE,
    )
    document = merged([*states()[:3], seen("fuzz", bad), states()[4]])
    shown, page = text(document), render_markdown(document)

    for rendered in (shown, page):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", rendered)
    prose = re.sub(r"(`+)[^`].*?\1", "", re.sub(r"(?s)```+text\n.*?\n```+", "", page))
    assert not re.search(r"<(?!/?(?:details|summary)>)", prose)
    assert "@octocat" not in prose
    assert "](" not in prose
    assert not re.search(r"^::", shown, re.MULTILINE)


def test_markdown_is_bounded_and_says_what_it_leaves_out() -> None:
    many = [finding("fuzz/crash", f"tool{number}", message="long " * 200) for number in range(500)]
    page = render_markdown(merged([*states()[:3], seen("fuzz", *many), states()[4]]))

    assert len(page) <= 60_000
    assert re.search(r"\*\*\d+ of 500 findings are left out here; the JSON report has them all\.\*\*", page)
    assert page.count("<details>") == page.count("</details>")


def test_text_shows_the_worst_and_counts_the_rest() -> None:
    many = [finding("fuzz/crash", f"tool{number}") for number in range(80)]

    assert "30 more findings are in the JSON report." in text(merged([*states()[:3], seen("fuzz", *many)]))


def test_colour_is_only_where_asked() -> None:
    assert "\x1b[" in render_text(merged(BLOCK), width=80, color=True)
    assert "\x1b[" not in render_text(merged(BLOCK), width=80, color=False)
