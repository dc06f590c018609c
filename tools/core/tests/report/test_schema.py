import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_check_core.model.finding import Category, Certainty, Location, Severity
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import (
    ErrorKind,
    LimitHit,
    Outcome,
    Report,
    RunError,
    Status,
    Suppressed,
    Target,
    TargetKind,
)
from mcp_check_core.report.document import to_document
from mcp_check_core.report.json_format import dump_document, load_document
from mcp_check_core.report.schema import (
    MAX_PROBLEMS,
    VOLATILE,
    envelope_schema,
    reading_schema,
    schema_difference,
    schema_text,
    tool_schema,
    validate,
    without_volatile,
    write_schema,
)
from tools.core.tests.report.builders import CRASH, HANG, RULES, STYLE, collector, finished, report_with

DETAILS: dict[str, Json] = {
    "type": "object",
    "required": ["seed"],
    "properties": {"seed": {"type": "integer"}},
}
SCHEMA = tool_schema(tool="mcp-fuzz", details=DETAILS, rules=RULES, volatile=["/details/pid"])


def printed(report: Report) -> dict[str, Json]:
    return load_document(dump_document(to_document(report)), max_bytes=10**7, max_depth=100)


def full_report() -> Report:
    location = Location("add", "a", "/properties/a", "server.py", 1, 2, 3, 4)
    run = collector()
    for severity in Severity:
        run.found(
            CRASH.finding(
                "It died.",
                severity=severity,
                location=location,
                key=severity,
                kind="k",
                hint="Catch it.",
                evidence={"a": [1]},
                reproduce={"method": "tools/call"},
                certainty=Certainty.PROVEN,
            )
        )
    run.answered(CRASH.id, judged=1, of=2)
    run.could_not_tell(HANG.id, "no time")
    run.not_applicable(STYLE.id, "no style")
    run.limit(LimitHit("tools", 10, "here"))
    run.error(RunError(ErrorKind.UNREACHABLE, "No such host."))
    held = (Suppressed(STYLE.finding("m"), "accepted"),)
    return replace(finished(run, interrupted="Stopped."), suppressed=held)


def test_reports_are_valid() -> None:
    for report in (finished(collector()), report_with(), report_with(CRASH.finding("m")), full_report()):
        assert validate(printed(report), SCHEMA) == []
        assert validate(printed(report), envelope_schema()) == []
        assert validate(printed(report), reading_schema()) == []


def test_a_target_of_every_kind_is_valid() -> None:
    for kind in TargetKind:
        report = finished(
            collector(), target=Target(kind, url="https://h/", cwd=".", command_sha256="0" * 64)
        )
        assert validate(printed(report), SCHEMA) == []


BROKEN: dict[str, tuple[str, Json]] = {
    "schemaVersion": ("/schemaVersion", 2),
    "tool name": ("/tool/name", "mcp-other"),
    "tool member": ("/tool/extra", 1),
    "ok": ("/ok", False),
    "status": ("/status", "passed"),
    "status and score": ("/status", "incomplete"),
    "score": ("/score/value", 101),
    "grade": ("/score/grade", "E"),
    "score member": ("/score/extra", 1),
    "target kind": ("/target/kind", "pipe"),
    "command": ("/target/command", "a b"),
    "digest": ("/target/commandSha256", "A" * 64),
    "environment": ("/target/environment", {"A": "b"}),
    "server": ("/target/server/name", 1),
    "coverage": ("/coverage/toolsTotal", -1),
    "skipped": ("/coverage/skipped/0/reason", ""),
    "rule id": ("/rules/0/rule", "fuzz/other"),
    "outcome": ("/rules/0/outcome", "skipped"),
    "outcome and status": ("/rules/0/outcome", "error"),
    "reason": ("/rules/0/outcome", "not_applicable"),
    "rules": ("/rules", []),
    "finding rule": ("/findings/0/ruleId", "fuzz/other"),
    "severity": ("/findings/0/severity", "fatal"),
    "category": ("/findings/0/category", "x"),
    "certainty": ("/findings/0/certainty", "sure"),
    "message": ("/findings/0/message", ""),
    "fingerprint": ("/findings/0/fingerprint", "123"),
    "pointer": ("/findings/0/location/pointer", "a/b"),
    "line": ("/findings/0/location/line", 0),
    "location member": ("/findings/0/location/extra", 1),
    "empty evidence": ("/findings/0/evidence", {}),
    "finding member": ("/findings/0/extra", 1),
    "suppressed": ("/suppressed", [{"reason": "x"}]),
    "limit": ("/limitsHit", [{"limit": "x"}]),
    "error kind": ("/errors", [{"kind": "other", "message": "m"}]),
    "errors and status": ("/errors", [{"kind": "internal", "message": "m"}]),
    "start": ("/timings/startedAt", "2026-11-30 15:00"),
    "duration": ("/timings/durationMs", -1),
    "phases": ("/timings/phases", {"a": "b"}),
    "details": ("/details/seed", "0"),
    "member": ("/novel", 1),
}


def changed(document: dict[str, Json], pointer: str, value: Json) -> None:
    here: Json = document
    *path, last = pointer.split("/")[1:]
    for part in path:
        here = here[int(part)] if isinstance(here, list) else here[part]  # type: ignore[index]
    here[int(last) if isinstance(here, list) else last] = value  # type: ignore[index]


@pytest.mark.parametrize("case", BROKEN)
def test_what_breaks_the_contract_is_told_with_its_place(case: str) -> None:
    document = printed(report_with(CRASH.finding("m", severity=Severity.WARNING)))
    assert validate(document, SCHEMA) == []
    changed(document, *BROKEN[case])
    assert validate(document, SCHEMA)


def test_problems_carry_pointers() -> None:
    document = printed(report_with(CRASH.finding("m")))
    changed(document, "/findings/0/severity", "fatal")
    assert [problem.partition(":")[0] for problem in validate(document, SCHEMA)] == ["/findings/0/severity"]


@pytest.mark.parametrize("name", sorted(printed(report_with())))
def test_every_member_is_required(name: str) -> None:
    document = printed(report_with())
    del document[name]
    assert validate(document, SCHEMA)
    assert validate(document, reading_schema())


def test_the_values_of_the_model_are_those_of_the_schema() -> None:
    text = json.dumps(envelope_schema())
    for values in (Severity, Category, Certainty, Outcome, Status, TargetKind, ErrorKind):
        for value in values:
            assert f'"{value}"' in text
    finding = envelope_schema()["$defs"]["finding"]["properties"]  # type: ignore[index,call-overload]
    assert finding["category"]["enum"] == list(Category)  # type: ignore[index,call-overload]


def test_a_reader_takes_members_of_later_versions() -> None:
    document = printed(report_with(CRASH.finding("m")))
    for pointer in (
        "/novel",
        "/tool/novel",
        "/findings/0/novel",
        "/findings/0/location/novel",
        "/timings/novel",
    ):
        changed(document, pointer, 1)
    assert validate(document, reading_schema()) == []
    changed(document, "/findings/0/fingerprint", "x")
    assert validate(document, reading_schema())


def test_members_of_a_tool_are_required_and_judged() -> None:
    schema = tool_schema(
        tool="mcp-fuzz",
        details={},
        extra={"profile": {"$ref": "#/$defs/profile"}},
        definitions={"profile": {"enum": ["ci"]}},
        rules=RULES,
    )
    report = report_with()
    assert validate(printed(replace(report, extra={"profile": "ci"})), schema) == []
    assert validate(printed(replace(report, extra={"profile": "xx"})), schema)
    assert validate(printed(report), schema)


def test_a_tool_never_hides_what_is_shared() -> None:
    with pytest.raises(ValueError, match="findings"):
        tool_schema(tool="mcp-fuzz", details={}, extra={"findings": {}}, rules=RULES)
    with pytest.raises(ValueError, match="location"):
        tool_schema(tool="mcp-fuzz", details={}, definitions={"location": {}}, rules=RULES)


def test_the_schema_says_what_it_is() -> None:
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert SCHEMA["$id"] == "urn:mcp-trust-check:mcp-fuzz:1"
    assert SCHEMA[VOLATILE] == ["/timings", "/details/pid"]
    assert tool_schema(tool="x", details={}, rules=[], schema_version=2)["$id"] == "urn:mcp-trust-check:x:2"


def test_no_reference_is_fetched() -> None:
    with pytest.raises(ValueError, match="cannot be judged"):
        validate({}, {"$ref": "https://example.org/schema.json"})


def test_a_schema_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be judged"):
        validate({}, {"type": "nonsense"})


def test_a_document_too_deep_to_judge_is_no_valid_one() -> None:
    deep: Json = 1
    for _ in range(200):
        deep = [deep]
    assert validate({"a": deep}, {"type": "object"}) == [
        "/: the document is too large or too deep to be judged"
    ]


def test_the_number_of_problems_is_bounded() -> None:
    problems = validate([""] * 1000, {"items": {"type": "integer"}})
    assert len(problems) == MAX_PROBLEMS + 1
    assert problems[0].startswith("/0: ")


def test_what_is_volatile_does_not_count() -> None:
    one = printed(report_with())
    other = printed(report_with())
    changed(one, "/details/pid", 1)
    changed(other, "/timings/durationMs", 99)
    assert one != other
    assert without_volatile(one, SCHEMA) == without_volatile(other, SCHEMA)
    assert "timings" in one
    changed(other, "/status", "fail")
    assert without_volatile(one, SCHEMA) != without_volatile(other, SCHEMA)


def test_volatile_pointers_reach_into_arrays_and_odd_names() -> None:
    schema: dict[str, Json] = {VOLATILE: ["/runs/*/pid", "/a~1b", "/list/0", "/none/such", "/*/x"]}
    document: dict[str, Json] = {
        "runs": [{"pid": 1, "ok": True}, {"ok": False}],
        "a/b": 1,
        "list": [1, 2],
        "other": {"x": 1, "y": 2},
    }
    assert without_volatile(document, schema) == {
        "runs": [{"ok": True}, {"ok": False}],
        "list": [None, 2],
        "other": {"y": 2},
    }
    assert document["a/b"] == 1


def test_a_committed_schema_is_compared(tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    write_schema(path, SCHEMA)
    text = path.read_text("utf-8")
    assert schema_difference(text, SCHEMA) == ""
    assert json.loads(text) == SCHEMA
    assert text == schema_text(SCHEMA)
    assert '-  "title": "Report of mcp-fizz"' in schema_difference(
        text.replace("mcp-fuzz", "mcp-fizz"), SCHEMA
    )
    assert schema_difference(text.rstrip(), SCHEMA)


words = st.text(min_size=1, max_size=10)


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.sampled_from(RULES), words, st.sampled_from(Severity), words), max_size=5),
    st.lists(
        st.tuples(st.sampled_from(RULES), st.sampled_from(["not_run", "could_not_tell", "answered"])),
        max_size=4,
    ),
)
def test_whatever_a_run_sees_its_document_is_valid(
    seen: list[tuple[object, str, Severity, str]], answers: list[tuple[object, str]]
) -> None:
    run = collector()
    for rule, message, severity, tool in seen:
        run.found(rule.finding(message, severity=severity, location=Location(tool=tool)))  # type: ignore[attr-defined]
    for rule, answer in answers:
        getattr(run, answer)(*((rule.id,) if answer == "answered" else (rule.id, "why")))  # type: ignore[attr-defined]
    assert validate(printed(finished(run)), SCHEMA) == []
