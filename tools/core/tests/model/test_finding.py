import re
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_check_core.model.finding import Category, Certainty, Finding, Location, Severity
from mcp_check_core.model.rule import Rule

RULE = Rule("fuzz/crash", "The server dies", Severity.ERROR, Category.RELIABILITY, defect="server-death")
any_text = st.text(st.characters(codec=None), max_size=20)


def test_a_rule_gives_its_findings_what_it_declares() -> None:
    finding = RULE.finding("m")
    assert (finding.rule_id, finding.severity, finding.category, finding.defect) == (
        "fuzz/crash",
        Severity.ERROR,
        Category.RELIABILITY,
        "server-death",
    )
    assert RULE.slug == "crash"
    assert RULE.finding("m", severity=Severity.INFO).severity is Severity.INFO


def test_a_fingerprint_is_known_by_heart() -> None:
    """Baselines of users hold these digits: a change here breaks every one of them."""
    finding = RULE.finding("m", location=Location(tool="add", parameter="a"), kind="k", key="key")
    assert finding.fingerprint == "b75196c0659a69e9"
    assert RULE.finding("m").fingerprint == "8741933b40cafd1f"


@given(any_text, any_text, st.integers())
def test_a_fingerprint_depends_neither_on_evidence_nor_on_lines(text: str, file: str, line: int) -> None:
    one = RULE.finding("m", location=Location(tool="t"), key="k")
    other = replace(
        one,
        message=text,
        hint=text,
        evidence={text: text},
        reproduce=text,
        severity=Severity.INFO,
        category=Category.SECURITY,
        certainty=Certainty.HEURISTIC,
        defect=text,
        location=Location(tool="t", pointer=text, file=file, line=line, column=line),
    )
    assert one.fingerprint == other.fingerprint


@given(any_text, any_text)
def test_a_fingerprint_is_sixteen_hex_digits_for_any_text(tool: str, key: str) -> None:
    finding = RULE.finding("m", location=Location(tool=tool), key=key)
    assert re.fullmatch("[0-9a-f]{16}", finding.fingerprint)


@pytest.mark.parametrize(
    "changed",
    [
        {"rule_id": "fuzz/other"},
        {"kind": "k"},
        {"kind": ""},
        {"key": "k"},
        {"location": Location(tool="t")},
        {"location": Location(parameter="t")},
        {"location": Location(tool="")},
    ],
)
def test_a_fingerprint_depends_on_each_part_of_the_identity(changed: dict[str, object]) -> None:
    finding = RULE.finding("m")
    assert replace(finding, **changed).fingerprint != finding.fingerprint  # type: ignore[arg-type]


def test_parts_of_the_identity_do_not_run_together() -> None:
    made = [
        RULE.finding("m", location=Location(tool=tool, parameter=parameter), kind=kind, key=key)
        for tool, parameter, kind, key in product(("a", "ab", None), ("b", "", None), ("c", None), ("", "c"))
    ]
    assert len({finding.fingerprint for finding in made}) == len(made)


def test_a_fingerprint_that_was_read_stays() -> None:
    assert replace(RULE.finding("m"), stored_fingerprint="0" * 16).fingerprint == "0" * 16


@given(st.permutations(list(Severity)))
def test_the_worst_severity_sorts_first(severities: list[Severity]) -> None:
    made = [RULE.finding("m", severity=severity) for severity in severities]
    ordered = sorted(made, key=Finding.sort_key)
    assert [finding.severity for finding in ordered] == [Severity.ERROR, Severity.WARNING, Severity.INFO]


def test_findings_of_one_severity_sort_by_rule_place_and_fingerprint() -> None:
    places = [
        Location(),
        Location(tool="a"),
        Location(tool="a", parameter="p"),
        Location(tool="a", parameter="p", pointer="/x"),
        Location(tool="b"),
        Location(file="f", line=2),
        Location(file="f", line=10),
        Location(file="f", line=10, column=2),
    ]
    made = [RULE.finding("m", location=place) for place in places]
    assert sorted([*made[4:], *made[:4]], key=Finding.sort_key) == made
