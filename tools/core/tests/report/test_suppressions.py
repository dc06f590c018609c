from contextlib import suppress
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_check_core.model.finding import Finding, Location
from mcp_check_core.report.suppressions import (
    MAX_CONFIG_BYTES,
    Suppression,
    SuppressionError,
    read_suppressions,
    suppression_entry,
)
from tools.core.tests.report.builders import CRASH, RULES

FINDING = CRASH.finding("m", location=Location(tool="delete_user", file="src/old/a.py", line=3))
STYLED = replace(FINDING, rule_id="fuzz/style", kind="short")


def read(text: str, *, pyproject: bool = False) -> tuple[Suppression, ...]:
    return read_suppressions(text.encode(), RULES, pyproject=pyproject)


def one(text: str) -> Suppression:
    (entry,) = read(f"[[suppress]]\nreason = 'r'\n{text}")
    return entry


def test_an_entry_is_read_whole() -> None:
    text = """
        [[suppress]]
        rule = "fuzz/style"
        fingerprint = "0123456789abcdef"
        kind = "short"
        tool = "delete_*"
        path = "src/*"
        reason = " It is meant so. "
        until = 2027-03-31
    """
    expected = Suppression(
        1,
        "It is meant so.",
        "fuzz/style",
        "0123456789abcdef",
        "short",
        "delete_*",
        "src/*",
        date(2027, 3, 31),
    )
    assert read(text) == (expected,)
    assert read(text.replace("[[suppress]]", "[[tool.mcp-trust-check.suppress]]"), pyproject=True) == (
        expected,
    )
    assert one("rule = 'fuzz/crash'\nuntil = '2027-03-31'").until == date(2027, 3, 31)


@pytest.mark.parametrize("text", ["", "[project]\nname = 'x'", "[tool.other]\nsuppress = 1"])
def test_a_pyproject_without_our_table_says_nothing(text: str) -> None:
    assert read(text, pyproject=True) == ()


@pytest.mark.parametrize(
    ("text", "finding", "matches"),
    [
        ("rule = 'fuzz/crash'", FINDING, True),
        ("rule = 'fuzz/hang'", FINDING, False),
        (f"fingerprint = '{FINDING.fingerprint}'", FINDING, True),
        ("fingerprint = '0123456789abcdef'", FINDING, False),
        (f"rule = 'fuzz/hang'\nfingerprint = '{FINDING.fingerprint}'", FINDING, False),
        ("rule = 'fuzz/crash'\ntool = 'delete_*'", FINDING, True),
        ("rule = 'fuzz/crash'\ntool = 'DELETE_*'", FINDING, False),
        ("rule = 'fuzz/crash'\ntool = 'delete'", FINDING, False),
        ("rule = 'fuzz/crash'\ntool = '*'", CRASH.finding("m"), False),
        ("rule = 'fuzz/crash'\npath = 'src/*'", FINDING, True),
        ("rule = 'fuzz/crash'\npath = 'src/**/a.py'", FINDING, True),
        ("rule = 'fuzz/crash'\npath = 'a.py'", FINDING, False),
        ("rule = 'fuzz/style'\nkind = 'short'", STYLED, True),
        ("rule = 'fuzz/style'\nkind = 'long'", STYLED, False),
        ("rule = 'fuzz/style'\nkind = 'short'", replace(STYLED, kind=None), False),
    ],
)
def test_every_part_of_an_entry_must_match(text: str, finding: Finding, matches: bool) -> None:
    assert one(text).matches(finding) is matches


@pytest.mark.parametrize(("day", "expired"), [(30, False), (31, False), (32, True)])
def test_the_last_day_still_holds(day: int, expired: bool) -> None:
    entry = one("rule = 'fuzz/crash'\nuntil = 2027-03-31")
    assert entry.expired(date.fromordinal(date(2027, 2, 28).toordinal() + day)) is expired
    assert not one("rule = 'fuzz/crash'").expired(date.max)


def test_the_entry_that_is_offered_works_once_it_has_a_reason() -> None:
    text = suppression_entry(FINDING, date(2027, 3, 31))
    with pytest.raises(SuppressionError, match="reason"):
        read(text)
    (entry,) = read(text.replace('reason = ""', 'reason = "It is meant so."'))
    assert entry.matches(FINDING)
    assert entry.until == date(2027, 3, 31)


def test_rules_of_other_tools_are_theirs() -> None:
    text = "[[suppress]]\nrule = 'lint/S1'\nreason = 'r'\n[[suppress]]\nrule = 'fuzz/hang'\nreason = 'r'"
    assert [(entry.number, entry.rule) for entry in read(text)] == [(2, "fuzz/hang")]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("supress = []", "the configuration has an unknown key 'supress'; near to it: suppress"),
        ("suppress = 3", "suppress is not an array of tables"),
        ("suppress = [3]", "suppress entry 1 is not a table"),
        ("[[suppress]]\nrul = 'a'", "suppress entry 1 has an unknown key 'rul'; near to it: rule"),
        ("[[suppress]]\nrule = 'fuzz/crash'", "suppress entry 1 has no reason"),
        ("[[suppress]]\nrule = 'fuzz/crash'\nreason = '  '", "suppress entry 1 has no reason"),
        ("[[suppress]]\nreason = 'r'\ntool = 'a'", "names neither a rule nor a fingerprint"),
        ("[[suppress]]\nreason = 'r'\nrule = 'fuzz/crsh'", "no rule 'fuzz/crsh'; near to it: fuzz/crash"),
        ("[[suppress]]\nreason = 'r'\nrule = 'nobody/S1'", "no rule 'nobody/S1'"),
        ("[[suppress]]\nreason = 'r'\nrule = 'crash'", "no rule 'crash'"),
        (
            "[[suppress]]\nreason = 'r'\nrule = 'fuzz/style'\nkind = 'shot'",
            "no kind 'shot'; near to it: short",
        ),
        ("[[suppress]]\nreason = 'r'\nrule = 'fuzz/crash'\nkind = 'a'", "fuzz/crash has no kind 'a'"),
        ("[[suppress]]\nreason = 'r'\nfingerprint = '0123'", "'0123' is no fingerprint of 16 hex digits"),
        ("[[suppress]]\nreason = 'r'\nrule = 3", "rule is not a text of 1 to 500 characters"),
        ("[[suppress]]\nreason = 'r'\nrule = ''", "rule is not a text"),
        (f"[[suppress]]\nreason = '{'r' * 501}'\nrule = 'fuzz/crash'", "reason is not a text"),
        ("[[suppress]]\nreason = 'r'\nrule = 'fuzz/crash'\nuntil = 'soon'", "until is no day such as"),
        ("[[suppress]]\nreason = 'r'\nrule = 'fuzz/crash'\nuntil = 3", "until is no day such as"),
        (
            "[[suppress]]\nreason = 'r'\nrule = 'fuzz/crash'\nuntil = 2027-01-01T00:00:00Z",
            "until is no day such as",
        ),
        ("[[suppress", "it is not TOML"),
        ("a = 1" + "0" * 5_000, "it is not TOML"),
        ("a = " + "[" * 5_000 + "]" * 5_000, "it is not TOML"),
        ("#" * (MAX_CONFIG_BYTES + 1), "more than the"),
    ],
)
def test_what_cannot_be_used_is_named(text: str, why: str) -> None:
    with pytest.raises(SuppressionError) as caught:
        read(text)
    assert why in str(caught.value)


def test_bytes_that_are_no_text_and_a_table_that_is_none() -> None:
    with pytest.raises(SuppressionError, match="it is not TOML"):
        read_suppressions(b"\xff", RULES)
    with pytest.raises(SuppressionError, match="is not a table"):
        read("tool = 3", pyproject=True)


@given(st.text(max_size=200))
def test_no_text_holds_back_anything_by_chance(text: str) -> None:
    with suppress(SuppressionError):
        assert read(text) == ()
