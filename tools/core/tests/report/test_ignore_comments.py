import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_check_core.model.finding import Finding, Location
from mcp_check_core.report.ignore_comments import IgnoreComment, held_by, read_ignore_comments
from tools.core.tests.report.builders import CRASH


def at(line: int) -> Finding:
    return CRASH.finding("m", location=Location(file="a.py", line=line))


@pytest.mark.parametrize(
    ("line", "rules", "reason"),
    [
        ("run(x)  # mcp-check: ignore[fuzz/crash] it is a test", ("fuzz/crash",), "it is a test"),
        ("run(x); // mcp-check: ignore[crash] why", ("crash",), "why"),
        ("run(x); /* mcp-check: ignore[crash] why */", ("crash",), "why"),
        ("<b> <!-- mcp-check: ignore[crash] why -->", ("crash",), "why"),
        ("x -- mcp-check:ignore[crash, hang] why not", ("crash", "hang"), "why not"),
        ("x #mcp-check: ignore[ crash ] why\r", ("crash",), "why"),
    ],
)
def test_a_comment_is_read_in_every_language(line: str, rules: tuple[str, ...], reason: str) -> None:
    assert read_ignore_comments(f"first\n{line}\nlast") == (IgnoreComment(2, rules, reason, (2,)),)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("# mcp-check: ignore[crash]", "it gives no reason"),
        ("/* mcp-check: ignore[crash] */", "it gives no reason"),
        ("# mcp-check: ignore because", "it names no rule"),
        ("# mcp-check: ignore[] because", "it names no rule"),
    ],
)
def test_a_comment_without_rule_or_reason_holds_nothing_back(line: str, problem: str) -> None:
    (comment,) = read_ignore_comments(line)
    assert (comment.problem or "").startswith(problem)
    assert held_by(at(1), [comment]) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mcp-check: ignore[crash] not in a comment",
        "# mcp-check: other[crash] x",
        "# mcp_check: ignore[a] b",
    ],
)
def test_other_text_is_no_comment_of_ours(text: str) -> None:
    assert read_ignore_comments(text) == ()


def test_a_comment_alone_covers_the_next_line_and_one_behind_code_its_own() -> None:
    comments = read_ignore_comments(
        "# mcp-check: ignore[crash] above\nrun(1)\nrun(2)  # mcp-check: ignore[fuzz/crash] behind\nrun(3)\n"
    )
    held = {line: (found.reason if (found := held_by(at(line), comments)) else None) for line in range(5)}
    assert held == {0: None, 1: "above", 2: "above", 3: "behind", 4: None}


def test_only_the_rule_that_is_named_is_held_back() -> None:
    comments = read_ignore_comments("run()  # mcp-check: ignore[hang, rash] why")
    assert held_by(at(1), comments) is None


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    lines = text.count("\n") + 1
    assert all(0 < comment.line <= lines for comment in read_ignore_comments(text))


def test_long_text_takes_linear_time() -> None:
    began = time.process_time()
    assert read_ignore_comments("# mcp-check: ignore[" * 100_000) == ()
    assert len(read_ignore_comments("# mcp-check: ignore[a] b\n" * 20_000)) == 20_000
    assert len(read_ignore_comments(("#" * 19_000 + " mcp-check:\n") * 50)) == 0
    assert time.process_time() - began < 5
