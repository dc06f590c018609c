"""The document and the score: committed files, and that ignorance never helps."""

from collections.abc import Mapping
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from mcp_check_core.model.finding import Severity
from mcp_check_core.report.rule_file import rules_difference
from mcp_check_core.report.schema import schema_difference
from mcp_doctor.contract.document_schema import document_schema
from mcp_doctor.contract.quality import Tally, quality
from mcp_doctor.registry import DECLARED, RULES

PACKAGE = Path(__file__).parents[1] / "src" / "mcp_doctor"
UNITS = ("", "a", "b", "c", "d")
SCORED = [declared.rule.severity for declared in DECLARED if declared.scored]


def test_the_committed_files_are_the_made_ones() -> None:
    assert schema_difference((PACKAGE / "schema.json").read_text("utf-8"), document_schema()) == ""
    assert rules_difference((PACKAGE / "rules.json").read_text("utf-8"), RULES) == ""


def test_no_rule_is_announced_twice() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)


FAILED = st.dictionaries(st.sampled_from(UNITS), st.sampled_from(list(Severity)))
TALLIES = st.lists(
    st.builds(Tally, st.sampled_from(SCORED), st.frozensets(st.sampled_from(UNITS), min_size=1), FAILED),
    min_size=1,
    max_size=6,
)


def clean(tally: Tally, units: frozenset[str]) -> Tally:
    return Tally(tally.severity, tally.units | units, tally.failed)


@given(TALLIES, st.frozensets(st.sampled_from(UNITS)))
def test_what_was_not_judged_never_raises_the_score(tallies: list[Tally], more: frozenset[str]) -> None:
    """Adding units that pass, in place of units that were never looked at, never lowers the score."""
    passing = [clean(tally, more - set(tally.failed)) for tally in tallies]
    less, full = quality(tallies, 4, 0), quality(passing, 4, 0)
    assert less is not None
    assert full is not None
    assert less.value <= full.value


@given(TALLIES)
def test_scores_stay_in_range_and_a_failure_never_helps(tallies: list[Tally]) -> None:
    score = quality(tallies, 4, 0)
    none: Mapping[str, Severity] = {}
    without = quality([Tally(one.severity, one.units, none) for one in tallies], 4, 0)
    assert score is not None
    assert without is not None
    assert 0 <= score.value <= without.value == 100


def test_no_tool_is_no_score() -> None:
    tally = Tally(Severity.ERROR, frozenset({""}))
    assert quality([tally], 0, 3) is None
    assert quality([], 2, 0) is None


def test_weights() -> None:
    units = frozenset({"a", "b"})
    tallies = [
        Tally(Severity.ERROR, units, {"a": Severity.ERROR}),
        Tally(Severity.WARNING, units, {"a": Severity.WARNING, "b": Severity.INFO}),
    ]
    score = quality(tallies, 2, 1)
    assert score is not None
    assert score.value == 50.0
    assert score.basis.endswith("4 of 8 points lost; 1 registration could not be resolved.")
