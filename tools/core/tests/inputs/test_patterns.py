"""Texts are made from patterns, and broken for them, in bounded steps."""

import re
import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_check_core.inputs.limits import CannotMakeError
from mcp_check_core.inputs.pattern_texts import breaking_text, matching_text, pattern_judge
from tools.core.tests.inputs.bombs import PATTERNS

SOURCES = (
    r"^\d{4}-\d{2}-\d{2}to\d{4}-\d{2}-\d{2}$",
    r"^I?\d+[:|-]\d+(?:;\d+[:|-]\d+)*$",
    r"^(?:(?:\d\d[2468][048])-02-29|\d{4}-(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01]))T(?:[01]\d|2[0-3]):[0-5]\dZ$",
    r"^(pid|process|tag)!?=.+$",
    r"^[a-zA-Z0-9_.-]+\.(png|svg|gif)$",
    r"^[A-Z][A-Z0-9_]+-\d+(?:-\d+)*$",
    r"^(?<year>\d{4})$",
    r"\bword\b",
    r"[^a-z]",
    r"^[\w.+-]+@[\w-]+\.[\w.]+$",
    r"^\u00e9\x41\t$",
    r"^a{2}b{2,}c{2,3}d{0,1}$",
    r"^$",
    r"^\p{Lu}\p{Ll}+$",
    r"^(a|bb|ccc){3}$",
    r"^x*?y+?$",
)


def text_or_reason(pattern: str) -> str:
    """Return a text that matches, which is checked, or why there is none."""
    try:
        text = matching_text(pattern, 0, float("inf"), Random(0))
    except CannotMakeError as problem:
        return str(problem)
    assert pattern_judge(pattern).matches(text)
    return text


@pytest.mark.parametrize("pattern", SOURCES)
def test_a_text_is_made_and_broken(pattern: str) -> None:
    for seed in range(3):
        text = matching_text(pattern, 0, float("inf"), Random(seed))
        if r"\p" not in pattern and "?<" not in pattern:
            assert re.search(pattern, text), (pattern, text)
        assert pattern_judge(pattern).matches(text)
        broken = breaking_text(pattern, text, 0, float("inf"))
        assert broken is not None
        assert not pattern_judge(pattern).matches(broken)


def test_the_length_is_kept_where_the_pattern_leaves_room() -> None:
    for least in (2, 17, 400, 90_000):
        text = matching_text("^[a-z]+-[0-9]+$", max(least, 3), least + 2, Random(0))
        assert max(least, 3) <= len(text) <= least + 2


@pytest.mark.parametrize("name", PATTERNS)
def test_bombs_are_bounded(name: str) -> None:
    began = time.process_time()
    pattern = PATTERNS[name]
    text = text_or_reason(pattern)
    assert len(text) <= 200_000
    assert time.process_time() - began < 0.5


@settings(max_examples=300, deadline=None)
@given(pattern=st.one_of(st.text(max_size=30), st.text(r"ab1(){}[]|?*+.^$\dwsB-,<:=!", max_size=20)))
def test_any_text_as_pattern(pattern: str) -> None:
    assert isinstance(text_or_reason(pattern), str)
