"""Ignorance never helps: taking any part away from what the tools said never makes the result better."""

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_check_core.model.finding import Category, Finding, Severity
from mcp_check_core.report.json_format import dump_document
from mcp_trust_check.judgement import Judgement, judge
from mcp_trust_check.tool_state import ToolState
from orchestrator.tests.made import RULES, finding, report, state, states

Document = dict[str, Any]
Path = tuple[str | int, ...]

SHORTS = ("guard", "fuzz")
TOOLS = st.sampled_from([None, "add", "search"])
OUTCOMES = [{"tool": "add", "phase": "valid", "outcomes": {"ok": 2}}]


@st.composite
def findings_of(draw: st.DrawFn, short: str) -> list[Finding]:
    rules = draw(st.lists(st.sampled_from([rule.id for rule in RULES[short]]), max_size=4))
    return [
        finding(
            rule,
            draw(TOOLS),
            severity=draw(st.sampled_from(Severity)),
            category=draw(st.sampled_from([Category.SECURITY, Category.RELIABILITY])),
            key=str(number),
        )
        for number, rule in enumerate(rules)
    ]


@st.composite
def documents(draw: st.DrawFn, short: str) -> Document:
    rules = [rule.id for rule in RULES[short]]
    total = draw(st.integers(0, 10))
    checked = draw(st.integers(0, total))
    details: Document = {}
    if short == "fuzz":
        early = {"tool": "add", "case": 1}
        details = {
            "outcomes": draw(st.sampled_from([OUTCOMES, []])),
            "terminatedEarly": draw(st.sampled_from([None, None, None, early])),
        }
    return report(
        short,
        draw(findings_of(short)),
        score=draw(st.floats(0, 100)) if checked else draw(st.sampled_from([None, 40.0])),
        checked=checked,
        total=total,
        not_run=draw(st.sampled_from([[], [], [], rules[:1]])),
        suppressed=draw(st.sampled_from([[], [finding(rules[0], "held")]])),
        details=details,
    )


Said = dict[str, Document | bytes]
SAID: st.SearchStrategy[Said] = st.fixed_dictionaries({short: documents(short) for short in SHORTS})


def concluded(said: Said) -> Judgement:
    known: dict[str, ToolState] = {short: state(short, printed) for short, printed in said.items()}
    return judge(states(**known))


def clean(short: str) -> Document:
    return report(short)


def assert_not_better(less: Judgement, more: Judgement) -> None:
    """Assert that `less` is no better in decision, score, or (between equal decisions) confidence."""
    assert less.decision.rank <= more.decision.rank
    assert less.combined.value is None or (
        more.combined.value is not None and less.combined.value <= more.combined.value
    )
    if less.decision is more.decision:
        assert less.confidence.level.rank >= more.confidence.level.rank


def fired(judged: Judgement) -> set[tuple[str, str]]:
    return {(reason.rule, reason.tool) for reason in judged.reasons}


def paths(value: object, at: Path = ()) -> Iterator[Path]:
    """Yield the way to every part of a document, however deep."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in inner:
        yield (*at, name)
        yield from paths(member, (*at, name))


def removed(document: Document, path: Path) -> Document:
    cut = copy.deepcopy(document)
    inner: Any = cut
    for step in path[:-1]:
        inner = inner[step]
    del inner[path[-1]]
    return cut


def rule_replaced(document: Document, rule: str) -> Document:
    """Replace what one rule said by a clean pass."""
    passed = copy.deepcopy(document)
    for row in passed["rules"]:
        if row["rule"] == rule:
            row.update(outcome="pass", findings=0)
            row.pop("reason", None)
    passed["findings"] = [one for one in passed["findings"] if one["ruleId"] != rule]
    return with_status(passed)


def with_status(document: Document) -> Document:
    severities = {one["severity"] for one in document["findings"]}
    status = "fail" if "error" in severities else "warning" if "warning" in severities else "pass"
    if any(row["outcome"] in ("not_run", "error") for row in document["rules"]):
        return document
    if document["status"] == "incomplete":
        document["score"] = {"value": 100.0, "grade": "A", "basis": "all"}
    return {**document, "status": status, "ok": status != "fail"}


@given(SAID, st.sampled_from(SHORTS))
@settings(deadline=None)
def test_a_report_that_is_missing_is_no_better_than_a_clean_one(said: Said, short: str) -> None:
    less, more = concluded({**said, short: b""}), concluded({**said, short: clean(short)})

    assert_not_better(less, more)
    assert fired(more) <= fired(less)


@given(SAID, st.sampled_from(SHORTS), st.floats(0, 1))
@settings(deadline=None)
def test_a_report_that_is_cut_is_no_better_than_a_clean_one(said: Said, short: str, part: float) -> None:
    printed = dump_document(said[short])  # type: ignore[arg-type]
    cut = printed[: int(part * (len(printed) - 2))]

    assert_not_better(concluded({**said, short: cut}), concluded({**said, short: clean(short)}))


@given(SAID, st.sampled_from(SHORTS), st.data())
@settings(deadline=None)
def test_a_rule_without_an_answer_is_no_better_than_one_that_passed(
    said: Said, short: str, data: st.DataObject
) -> None:
    document = said[short]
    assert isinstance(document, dict)
    number = data.draw(st.integers(0, len(document["rules"]) - 1))
    rule = document["rules"][number]["rule"]
    less = concluded({**said, short: removed(document, ("rules", number))})
    more = concluded({**said, short: rule_replaced(document, rule)})

    assert_not_better(less, more)
    assert fired(more) <= fired(less)


@given(SAID, st.sampled_from(SHORTS), st.data())
@settings(deadline=None, max_examples=200)
def test_taking_any_part_out_of_a_report_never_makes_the_result_better(
    said: Said, short: str, data: st.DataObject
) -> None:
    document = said[short]
    assert isinstance(document, dict)
    path = data.draw(st.sampled_from(list(paths(document))))
    after = concluded({**said, short: removed(document, path)})
    if path in (("details",), ("details", "terminatedEarly")):
        document["details"]["terminatedEarly"] = None
    before = concluded(said)

    assert_not_better(after, before)
    if not (path[0] == "findings" and len(path) <= 2) and path[0] != "rules":
        assert {rule for rule, _ in fired(before)} - {"calls-fail", "other-error"} <= {
            rule for rule, _ in fired(after)
        }


@given(SAID, st.sampled_from(SHORTS), st.data())
@settings(deadline=None)
def test_several_parts_fewer_are_never_better(said: Said, short: str, data: st.DataObject) -> None:
    document = said[short]
    assert isinstance(document, dict)
    before, less = concluded(said), document
    for _ in range(data.draw(st.integers(1, 4))):
        ways = list(paths(less))
        if ways:
            less = removed(less, data.draw(st.sampled_from(ways)))
    after = concluded({**said, short: less})

    assert_not_better(after, concluded({**said, short: clean(short)}))
    if not before.reasons:
        assert_not_better(after, before)


@given(SAID, st.sampled_from(SHORTS))
@settings(deadline=None)
def test_suppressed_findings_decide_nothing(said: Said, short: str) -> None:
    document = said[short]
    assert isinstance(document, dict)
    before = concluded(said)
    after = concluded({**said, short: {**document, "suppressed": []}})

    assert (after.decision, fired(after), after.combined) == (before.decision, fired(before), before.combined)


@given(SAID)
@settings(deadline=None)
def test_the_result_is_a_function_of_the_documents(said: Said) -> None:
    assert concluded(said) == concluded(copy.deepcopy(said))
