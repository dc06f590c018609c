"""What the contract promises: schema, equal runs, any order of rules, and that ignorance never helps."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json, canonical_json
from mcp_check_core.report.schema import schema_difference, without_volatile
from mcp_lint.facts.definitions import Definitions
from mcp_lint.facts.frozen import FrozenArray, FrozenObject
from mcp_lint.facts.settings import Settings
from mcp_lint.facts.tokens import estimate_tokens
from mcp_lint.registry import RULES, STATIC
from mcp_lint.report_schema import report_schema
from mcp_lint.rules.declare import Judged
from mcp_lint.scoring.costs import FINDING_COSTS
from mcp_lint.scoring.score import server_waste
from tools.lint.tests.built import definitions, tool, without
from tools.lint.tests.harness import Capture, ran_json, server

SCHEMA = report_schema()


def test_the_committed_schema_is_the_made_one() -> None:
    committed = Path(__file__).parents[1] / "src" / "mcp_lint" / "schema.json"
    assert schema_difference(committed.read_text("utf-8"), SCHEMA) == ""


def test_two_runs_are_equal(tmp_path: Path, capfdbinary: Capture) -> None:
    command = server(tmp_path, tool(description="Short."), without(tool("b"), "inputSchema"))
    first, second = (ran_json(capfdbinary, "run", "--", *command)[1] for _ in range(2))
    assert without_volatile(first, SCHEMA) == without_volatile(second, SCHEMA)


KEYWORDS = ["type", "properties", "required", "items", "anyOf", "enum", "default", "$ref", "$defs", "id"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.just("object"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYWORDS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
MEMBERS = st.sampled_from(
    ["name", "description", "title", "inputSchema", "outputSchema", "annotations", "_meta", "x"]
)
ENTRIES = VALUES | st.dictionaries(MEMBERS, VALUES, max_size=6)


def judged(rules: Sequence[Judged], facts: Definitions) -> list[str]:
    found = [one for rule in rules for one in rule.judge(facts, Settings())]
    return sorted(f"{one.fingerprint} {one.message}" for one in found if isinstance(one, Finding))


@settings(deadline=None, max_examples=200)
@given(st.lists(ENTRIES, max_size=4), st.permutations(STATIC))
def test_rules_take_any_definition_in_any_order_and_change_none(
    entries: list[Json], order: Sequence[Judged]
) -> None:
    facts = definitions(*entries)
    before = [canonical_json(one.raw) for one in facts.tools]
    assert judged(STATIC, facts) == judged(order, facts)
    assert [canonical_json(one.raw) for one in facts.tools] == before


@pytest.mark.parametrize(
    "change",
    [
        lambda facts: facts.tools[0].fields.update(name="x"),
        lambda facts: facts.tools[0].fields.setdefault("x", 1),
        lambda facts: facts.tools[0].fields.__setitem__("name", "x"),
        lambda facts: facts.tools[0].fields.pop("name"),
        lambda facts: facts.tools[0].fields["tags"].append("x"),
        lambda facts: facts.tools[0].fields["tags"].sort(),
    ],
)
def test_definitions_cannot_be_changed(change: object) -> None:
    facts = definitions(tool(tags=["a"]))
    assert isinstance(facts.tools[0].fields, FrozenObject)
    assert isinstance(facts.tools[0].fields["tags"], FrozenArray)
    with pytest.raises(TypeError, match="read alone"):
        change(facts)  # type: ignore[operator]


FAULTS = st.sampled_from(sorted(FINDING_COSTS, key=str))
BY_ID = {rule.id: rule for rule in RULES}


def fault(kind: tuple[str, str | None], label: str) -> Finding:
    from mcp_check_core.model.finding import Location

    return BY_ID[kind[0]].finding("It was seen.", kind=kind[1], location=Location(tool=label, parameter="p"))


FOUND = st.lists(st.builds(fault, FAULTS, st.sampled_from(["a", "b", "c"])), max_size=12)
SIZES = st.dictionaries(st.sampled_from(["a", "b", "c"]), st.integers(0, 5_000), min_size=1)


@given(SIZES, FOUND, st.data())
def test_mending_a_finding_never_lowers_the_score(
    sizes: dict[str, int], findings: list[Finding], data: st.DataObject
) -> None:
    kept = data.draw(st.lists(st.sampled_from(findings), unique_by=id)) if findings else []
    before, after = server_waste(sizes, findings), server_waste(sizes, kept)
    assert before.score() is not None
    assert after.score().value >= before.score().value  # type: ignore[union-attr]
    assert all(after.tools[label].score >= tool.score for label, tool in before.tools.items())


@given(SIZES, FOUND)
def test_a_tool_that_is_not_judged_never_raises_the_score(
    sizes: dict[str, int], findings: list[Finding]
) -> None:
    less = dict(list(sizes.items())[1:])
    clean = {label: (size if label in less else 0) for label, size in sizes.items()}
    without_it, as_clean = (
        server_waste(less, findings).score(),
        server_waste(clean, _of(findings, less)).score(),
    )
    assert without_it is None or (as_clean is not None and without_it.value <= as_clean.value)


def _of(findings: list[Finding], sizes: dict[str, int]) -> list[Finding]:
    return [one for one in findings if one.location.tool in sizes]


@pytest.mark.parametrize(
    ("sizes", "faults", "definition", "usage", "value"),
    [
        ({"a": 300}, [], 0, 0.0, 100.0),
        ({"a": 800}, [], 1_000, 0.0, 93.3),
        ({"a": 5_300}, [], 10_000, 0.0, 50.0),
        ({"a": 100}, [("lint/S1", "missing")], 0, 6_000.0, 66.0),
        ({"a": 100, "b": 100}, [("lint/S1", "missing")], 0, 3_000.0, 81.2),
        ({"a": 100}, [("lint/S2", None), ("lint/S3", "untyped")], 0, 900.0, 94.0),
        ({"a": 100}, [("lint/S3", "untyped"), ("lint/S3", "undescribed")], 0, 1_200.0, 92.0),
    ],
)
def test_arithmetic_of_the_page(
    sizes: dict[str, int], faults: list[tuple[str, str | None]], definition: int, usage: float, value: float
) -> None:
    waste = server_waste(sizes, [fault(one, "a") for one in faults])
    score = waste.score()
    assert score is not None
    assert (waste.definitions, waste.usage, score.value) == (definition, usage, value)
    assert score.basis.startswith("static, no tool was called")


def test_the_score_of_a_tool_halves_twice_as_fast() -> None:
    assert server_waste({"a": 2_800}, []).tools["a"].score == 50.0


def test_tokens_are_characters_of_compact_json_by_four() -> None:
    assert estimate_tokens({"a": [1, 2], "b": "é"}) == round(len('{"a":[1,2],"b":"é"}') / 4)


def test_reports_name_what_they_leave_out(tmp_path: Path, capfdbinary: Capture) -> None:
    _, document = ran_json(capfdbinary, "run", "--", *server(tmp_path, tool()))
    assert json.dumps(document["details"]["notInThisVersion"])
    assert [one["rule"] for one in document["rules"]] == [rule.id for rule in RULES]
