from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_check_core.model.finding import Category, Certainty, Finding, Location, Severity
from mcp_check_core.model.report import Outcome, RuleResult, Suppressed, Timings
from mcp_check_core.report.document import (
    finding_document,
    finding_from_document,
    rule_document,
    rule_from_document,
    to_document,
    utc_text,
)
from tools.core.tests.report.builders import CRASH, STYLE, TARGET, collector, finished, report_with

ENVELOPE = [
    "schemaVersion", "tool", "ok", "status", "target", "score", "coverage", "rules", "findings", "suppressed",
    "limitsHit", "errors", "timings", "details",
]  # fmt: skip

texts = st.text(max_size=20)
optional_texts = st.none() | texts
positions = st.none() | st.integers(1, 9)
locations = st.builds(
    Location,
    tool=optional_texts,
    parameter=optional_texts,
    pointer=optional_texts,
    file=optional_texts,
    line=positions,
    column=positions,
    end_line=positions,
    end_column=positions,
)
findings = st.builds(
    Finding,
    rule_id=st.just("fuzz/crash"),
    severity=st.sampled_from(Severity),
    category=st.sampled_from(Category),
    message=texts,
    location=locations,
    kind=optional_texts,
    hint=optional_texts,
    evidence=st.dictionaries(texts, texts | st.integers() | st.none(), max_size=3),
    reproduce=st.none() | texts | st.dictionaries(texts, texts, max_size=2),
    certainty=st.sampled_from(Certainty),
    defect=optional_texts,
    key=texts,
)


def test_the_envelope_is_whole_and_in_order_even_when_empty() -> None:
    assert list(to_document(finished(collector()))) == ENVELOPE


def test_members_of_a_tool_follow_the_envelope() -> None:
    document = to_document(finished(collector(), extra={"profile": "ci"}))
    assert list(document) == [*ENVELOPE, "profile"]


@pytest.mark.parametrize("name", ENVELOPE)
def test_a_member_of_a_tool_never_hides_one_of_the_envelope(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        to_document(finished(collector(), extra={name: 1}))


def test_a_count_of_a_tool_never_hides_the_shared_ones() -> None:
    report = finished(collector())
    hiding = replace(report, coverage=replace(report.coverage, counts={"toolsTotal": 99}))
    with pytest.raises(ValueError, match="toolsTotal"):
        to_document(hiding)


def test_target_names_variables_and_keeps_unknown_members_as_null() -> None:
    assert to_document(finished(collector()))["target"] == {
        "kind": "stdio",
        "command": list(TARGET.command or ()),
        "commandSha256": None,
        "url": None,
        "cwd": None,
        "environment": ["API_TOKEN"],
        "server": {"name": "weather", "version": "1.0", "protocol": "2025-11-25"},
    }


def test_a_bare_finding_has_only_what_says_something() -> None:
    assert finding_document(STYLE.finding("m")) == {
        "ruleId": "fuzz/style",
        "severity": "info",
        "category": "documentation",
        "message": "m",
        "location": {},
        "fingerprint": STYLE.finding("other words").fingerprint,
        "certainty": "observed",
    }


def test_a_full_finding_has_its_members_in_the_order_of_the_contract() -> None:
    finding = CRASH.finding(
        "m",
        location=Location("t", "p", "/a", "f", 1, 2, 3, 4),
        kind="k",
        hint="h",
        evidence={"a": 1},
        reproduce="r",
    )
    document = finding_document(finding)
    assert list(document) == [
        "ruleId", "kind", "severity", "category", "message", "hint", "location", "evidence", "reproduce",
        "fingerprint", "defect", "certainty",
    ]  # fmt: skip
    assert document["location"] == {
        "tool": "t", "parameter": "p", "pointer": "/a", "file": "f",
        "line": 1, "column": 2, "endLine": 3, "endColumn": 4,
    }  # fmt: skip


def test_findings_are_ordered_by_severity_rule_location_fingerprint() -> None:
    made = [
        STYLE.finding("m", location=Location(tool=name), severity=severity, key=f"{severity}{key}")
        for name in ("b", "a")
        for severity in (Severity.INFO, Severity.ERROR, Severity.WARNING)
        for key in ("1", "2")
    ]
    document = to_document(report_with(*made))
    rows = document["findings"]
    assert isinstance(rows, list)
    keys = [finding_from_document(row).sort_key() for row in rows if isinstance(row, dict)]
    assert len(keys) == 12
    assert all(one <= other for one, other in pairwise(keys))


@given(st.lists(findings, max_size=6), st.randoms())
def test_the_order_does_not_depend_on_the_order_of_arrival(made: list[Finding], random: object) -> None:
    report = finished(collector())
    shuffled = list(made)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one = to_document(replace(report, findings=tuple(made)))["findings"]
    other = to_document(replace(report, findings=tuple(shuffled)))["findings"]
    assert [row["fingerprint"] for row in one] == [row["fingerprint"] for row in other]  # type: ignore[union-attr,index,call-overload]


@given(findings)
def test_a_finding_that_was_read_is_written_the_same(finding: Finding) -> None:
    document = finding_document(finding)
    assert finding_document(finding_from_document(document)) == document


def test_a_later_version_may_add_members_to_a_finding() -> None:
    document = finding_document(CRASH.finding("m"))
    assert finding_from_document({**document, "novel": 1}) == finding_from_document(document)


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("ruleId", None, "/ruleId is null, not a string"),
        ("severity", "fatal", "/severity is none of error, warning, info"),
        ("severity", 1, "/severity is integer"),
        ("category", "other", "/category is none of"),
        ("certainty", "", "/certainty is none of"),
        ("message", ["m"], "/message is array"),
        ("location", None, "/location is null"),
        ("location", {"line": "1"}, "/location/line is string"),
        ("location", {"line": True}, "/location/line is boolean"),
        ("location", {"tool": 1}, "/location/tool is integer"),
        ("evidence", [], "/evidence is array"),
        ("hint", None, "/hint is null"),
        ("fingerprint", "0123456789ABCDEF", "/fingerprint is not 16 hex digits"),
        ("fingerprint", "0123456789abcde", "/fingerprint is not 16 hex digits"),
        ("fingerprint", "0123456789abcdef\n", "/fingerprint is not 16 hex digits"),
    ],
)
def test_a_finding_that_breaks_the_contract_is_refused(name: str, value: object, problem: str) -> None:
    document = finding_document(CRASH.finding("m"))
    with pytest.raises(ValueError, match=problem):
        finding_from_document({**document, name: value})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "name", ["ruleId", "severity", "category", "message", "location", "fingerprint", "certainty"]
)
def test_a_finding_without_a_member_is_refused(name: str) -> None:
    document = finding_document(CRASH.finding("m"))
    del document[name]
    with pytest.raises(ValueError, match=f"/{name} is missing"):
        finding_from_document(document)


@pytest.mark.parametrize(
    "result",
    [
        RuleResult("a/b", Outcome.PASS),
        RuleResult("a/b", Outcome.FAIL, findings=3, judged=1, of=2),
        RuleResult("a/b", Outcome.ERROR, "why"),
    ],
)
def test_a_rule_answer_that_was_read_is_the_same(result: RuleResult) -> None:
    assert rule_from_document(rule_document(result)) == result


def test_suppressed_findings_carry_their_reason_and_are_ordered() -> None:
    held = (
        Suppressed(STYLE.finding("m", key="1"), "known"),
        Suppressed(CRASH.finding("m"), "accepted until March"),
    )
    rows = to_document(replace(finished(collector()), suppressed=held))["suppressed"]
    assert rows == [
        {**finding_document(held[1].finding), "reason": "accepted until March"},
        {**finding_document(held[0].finding), "reason": "known"},
    ]


def test_times_are_utc_and_rounded_to_a_tenth() -> None:
    moment = datetime(2026, 11, 30, 16, 0, 0, 125_900, tzinfo=timezone(timedelta(hours=1)))
    report = replace(finished(collector()), timings=Timings(moment, 12.3456, {"calls": 0.04}))
    assert to_document(report)["timings"] == {
        "startedAt": "2026-11-30T15:00:00.125Z",
        "durationMs": 12.3,
        "phases": {"calls": 0.0},
    }
    assert utc_text(datetime(2026, 1, 2, tzinfo=UTC)) == "2026-01-02T00:00:00.000Z"
