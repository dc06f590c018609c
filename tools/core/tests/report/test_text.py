import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_check_core.model.finding import Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import ErrorKind, LimitHit, Report, RunError, Suppressed, Target, TargetKind
from mcp_check_core.report.text import FINDINGS_SHOWN, Line, plain, render_lines, render_text
from tools.core.tests.report.builders import (
    CRASH,
    HANG,
    STYLE,
    collector,
    finished,
    hostile_report,
    report_with,
)

FULL = """\
FAIL  mcp-fuzz 2.0.0  ·  python server.py
Server: weather 1.0, protocol 2025-11-25
Score 83.3 (B): 10 of 12 calls were answered.
Tools checked: 1 of 2; not checked: write_file (it is not read-only)
Rules: 1 passed, 2 failed
Findings: 1 error, 1 info

[error] fuzz/crash  add(a) server.py:3
  The server died with signal 11 when the parameter was missing, and it did
  so again in a fresh process.
  hint: Check the argument before it is used.
  reproduce: {"method": "tools/call", "params": {"name": "add", "arguments": {}}}
  exitCode: -11
  stderr:
    one
      two

[info] fuzz/style (short)
  It has no taste.
"""


def full_report() -> Report:
    return report_with(
        STYLE.finding("It has no taste.", kind="short"),
        CRASH.finding(
            "The server died with signal 11 when the parameter was missing, "
            "and it did so again in a fresh process.",
            location=Location(tool="add", parameter="a", file="server.py", line=3),
            hint="Check the argument before it is used.",
            evidence={"exitCode": -11, "stderr": "one\n  two\n"},
            reproduce={"method": "tools/call", "params": {"name": "add", "arguments": {}}},
        ),
    )


def test_a_report_reads_from_the_verdict_to_the_worst() -> None:
    assert render_text(full_report(), width=76, color=False) == FULL


def test_a_clean_report_says_what_was_looked_for() -> None:
    text = render_text(report_with(), width=100, color=False)
    assert text.startswith("PASS  mcp-fuzz 2.0.0  ·  python server.py\n")
    assert "No findings. Looked for: fuzz/crash, fuzz/hang, fuzz/style.\n" in text


def test_an_incomplete_report_says_why_before_anything_else() -> None:
    run = collector()
    run.could_not_tell(CRASH.id, "the answer could not be read")
    run.not_applicable(STYLE.id, "there is no style")
    run.limit(LimitHit("tools", 10_000, "tools/list"))
    run.error(RunError(ErrorKind.AUTH_REQUIRED, "The server wants a login; pass one by --header-env."))
    report = finished(run)
    assert render_text(report, width=100, color=False).splitlines() == [
        "INCOMPLETE  mcp-fuzz 2.0.0  ·  python server.py",
        "auth_required: The server wants a login; pass one by --header-env.",
        "Server: weather 1.0, protocol 2025-11-25",
        "No score: the run is incomplete.",
        "Tools checked: 1 of 2; not checked: write_file (it is not read-only)",
        "Rules: 1 could not tell, 1 not run, 1 not applicable",
        "No findings, but no rule could answer.",
        "",
        "Not answered, or not in full",
        "  fuzz/crash: the answer could not be read",
        "  fuzz/hang: the run ended before this rule was looked at",
        "",
        "Not applicable",
        "  fuzz/style: there is no style",
        "",
        "Limits reached",
        "  tools = 10000 (tools/list)",
    ]


def test_a_complete_report_without_a_score_says_that_nothing_could_be_judged() -> None:
    report = replace(report_with(), score=None)
    assert "No score: there was nothing that may be judged." in render_text(report, width=80, color=False)


def test_what_is_held_back_is_named_with_its_reason() -> None:
    report = replace(report_with(), suppressed=(Suppressed(CRASH.finding("m"), "known, see the plan"),))
    assert "Held back: 1: fuzz/crash (known, see the plan)" in render_text(report, width=80, color=False)


def test_many_findings_of_a_rule_are_counted() -> None:
    report = report_with(*(CRASH.finding("m", key=str(number)) for number in range(FINDINGS_SHOWN + 5)))
    text = render_text(report, width=80, color=False)
    assert text.count("[error] fuzz/crash") == FINDINGS_SHOWN
    assert f"Findings: {FINDINGS_SHOWN + 5} errors" in text
    assert "Not shown here, but in the JSON report:\nfuzz/crash: 5 more\n" in text


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        (Target(TargetKind.STDIO, command=("node", "a b.js")), "node 'a b.js'"),
        (Target(TargetKind.HTTP, url="https://h/mcp?k=***"), "https://h/mcp?k=***"),
        (Target(TargetKind.SOURCE, cwd="servers/weather"), "servers/weather"),
        (Target(TargetKind.FILE), "file"),
    ],
)
def test_the_first_line_names_the_target(target: Target, shown: str) -> None:
    text = render_text(replace(report_with(), target=target), width=100, color=False)
    assert text.splitlines()[0] == f"PASS  mcp-fuzz 2.0.0  ·  {shown}"


def test_a_long_target_stands_on_a_line_of_its_own() -> None:
    target = Target(TargetKind.STDIO, command=("/opt/venv/bin/python", "/srv/servers/weather/server.py"))
    lines = render_text(replace(report_with(), target=target), width=60, color=False).splitlines()
    assert lines[:2] == ["PASS  mcp-fuzz 2.0.0", "  /opt/venv/bin/python /srv/servers/weather/server.py"]


def test_of_stderr_the_end_is_shown_as_lines() -> None:
    noise = "".join(f"INFO request {number}\n" for number in range(500))
    evidence: dict[str, Json] = {"stderr": f"{noise}Traceback:\n  File a.py\nKeyError: 'TOKEN'\n"}
    text = render_text(report_with(CRASH.finding("m", evidence=evidence)), width=80, color=False)
    assert "  stderr:\n    [last 8 of 503 lines]\n    INFO request 495\n" in text
    assert "    Traceback:\n      File a.py\n    KeyError: 'TOKEN'\n" in text


def test_other_evidence_of_several_lines_is_shown_as_lines_from_its_beginning() -> None:
    answer = "\n".join(f"line {number}" for number in range(14))
    text = render_text(report_with(CRASH.finding("m", evidence={"answer": answer})), width=80, color=False)
    assert "  answer:\n    line 0\n    line 1\n" in text
    assert "    line 9\n    … 4 more lines in the JSON report\n" in text


def test_rules_with_one_reason_share_a_sentence() -> None:
    run = collector()
    for rule in (CRASH, HANG):
        run.not_applicable(rule.id, "there was no session")
    text = render_text(finished(run), width=100, color=False)
    assert "Not applicable\n  fuzz/crash, fuzz/hang: there was no session\n" in text


def test_a_tool_may_open_with_lines_of_its_own() -> None:
    head = [plain("PASS MCP stdio guard"), plain("frames: 3 stdout / 0 invalid")]
    lines = render_text(report_with(), width=80, color=False, head=head).splitlines()
    assert lines[:2] == ["PASS MCP stdio guard", "frames: 3 stdout / 0 invalid"]
    assert lines[2].startswith("Server: weather")


def test_colour_changes_nothing_but_colour() -> None:
    coloured = render_text(full_report(), width=76, color=True)
    assert "\x1b[1;31m[error]\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == FULL


@settings(max_examples=40)
@given(st.text(st.characters(codec=None), max_size=80), st.integers(40, 120), st.booleans())
def test_a_hostile_report_is_inert_and_keeps_the_width(text: str, width: int, color: bool) -> None:
    rendered = render_text(hostile_report(text), width=width, color=color)
    stripped = re.sub(r"\x1b\[[\d;]*m", "", rendered) if color else rendered
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\ud800-\udfff]", stripped)
    assert not re.search(r"^\s*::|##\[", stripped, re.MULTILINE)
    for line in stripped.splitlines():
        assert len(line) <= width or line.startswith("  reproduce: ")


def test_markup_of_a_styling_library_is_only_text() -> None:
    report = report_with(CRASH.finding("[bold red]x[/] [/nonsense]", location=Location(tool="[a]")))
    for color in (True, False):
        assert "[bold red]x[/] [/nonsense]" in render_text(report, width=80, color=color)


def test_a_flood_of_words_stays_bounded() -> None:
    flood = "word " * 1_000_000
    evidence: dict[str, Json] = {flood: flood, **{str(number): flood for number in range(50)}}
    report = report_with(CRASH.finding(flood, hint=flood, evidence=evidence, reproduce=flood))
    text = render_text(report, width=80, color=False)
    assert len(text) < 10_000
    assert "more in the JSON report" in text
    assert "[first 600 of 5000000 characters]" in text.replace("\n ", "")


def test_wide_characters_count_twice_and_long_words_are_cut() -> None:
    text = render_lines([plain("漢字" * 30, indent=2, hang=2)], width=40, color=False)
    assert [len(line.strip()) for line in text.splitlines()] == [19, 18, 18, 5]
    assert render_lines([plain("x" * 85)], width=40, color=False).splitlines() == [
        "x" * 40,
        "x" * 40,
        "x" * 5,
    ]
    assert render_lines([plain("")], width=40, color=False) == "\n"


def test_styles_survive_a_line_end() -> None:
    line = Line((("a" * 30 + " ", "bold"), ("b" * 30, "")), hang=2)
    assert render_lines([line], width=40, color=True) == f"\x1b[1m{'a' * 30}\x1b[0m\n  {'b' * 30}\n"


@given(st.text(st.sampled_from("ab 漢"), max_size=200), st.integers(40, 60))
def test_wrapping_loses_no_word(text: str, width: int) -> None:
    rendered = render_lines([plain(text, indent=2, hang=2)], width=width, color=False)
    assert re.sub(r"\s", "", rendered) == text.replace(" ", "")


def test_counts_agree_with_the_report() -> None:
    report = report_with(
        *(HANG.finding("m", key=str(n), severity=severity) for n in range(3) for severity in Severity)
    )
    expected = len({finding.fingerprint for finding in report.findings})
    text = render_text(report, width=80, color=False)
    assert expected == len(re.findall(r"^\[(?:error|warning|info)\]", text, re.MULTILINE)) == 3
