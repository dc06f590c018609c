import json
import random

import pytest

from mcp_check_core.model.finding import Location
from mcp_check_core.model.json_value import Json
from mcp_check_core.report.baseline import (
    MAX_BASELINE_BYTES,
    BaselineEntry,
    BaselineError,
    baseline_document,
    read_baseline,
)
from mcp_check_core.report.json_format import dump_document
from tools.core.tests.report.builders import CRASH, HANG

FOUND = [
    HANG.finding("It hangs.", location=Location(tool="b")),
    CRASH.finding("It died.", location=Location(tool="a"), key="2"),
    CRASH.finding("It died.", location=Location(tool="a"), key="1"),
    CRASH.finding("It died."),
]


def test_a_baseline_is_sorted_and_says_rule_and_tool() -> None:
    accepted = json.loads(dump_document(baseline_document(FOUND)))["accepted"]
    assert [(entry["rule"], entry.get("tool")) for entry in accepted] == [
        ("fuzz/crash", None),
        ("fuzz/crash", "a"),
        ("fuzz/crash", "a"),
        ("fuzz/hang", "b"),
    ]
    assert set(accepted[1]) == {"fingerprint", "rule", "tool"}


def test_the_same_findings_make_the_same_bytes() -> None:
    shuffled = random.Random(0).sample([*FOUND, *FOUND], 8)
    assert dump_document(baseline_document(shuffled)) == dump_document(baseline_document(FOUND))


def test_what_is_written_is_read() -> None:
    baseline = read_baseline(dump_document(baseline_document(FOUND)))
    assert all(baseline.holds(finding) for finding in FOUND)
    assert not baseline.holds(CRASH.finding("another", key="3"))
    assert baseline.entries[FOUND[0].fingerprint] == BaselineEntry("fuzz/hang", "b", FOUND[0].fingerprint)


def entry(**members: Json) -> bytes:
    return json.dumps({"schemaVersion": 1, "accepted": [members]}).encode()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not JSON"),
        (b"[]", "not an object"),
        (b'{"schemaVersion": 1, "accepted": [', "not JSON"),
        (b'{"schemaVersion": 2, "accepted": []}', "version 2; this program reads version 1"),
        (b'{"schemaVersion": true, "accepted": []}', "schemaVersion is not 1"),
        (b'{"accepted": []}', "schemaVersion is not 1"),
        (b'{"schemaVersion": 1}', "accepted is not an array"),
        (b'{"schemaVersion": 1, "accepted": [1]}', "Entry 0 of accepted"),
        (entry(rule="a"), "Entry 0 of accepted"),
        (entry(rule="a", fingerprint="0123"), "Entry 0 of accepted"),
        (entry(rule="a", fingerprint="0123456789ABCDEF"), "Entry 0 of accepted"),
        (entry(rule="a", fingerprint="0123456789abcdef", tool=3), "Entry 0 of accepted"),
        (b" " * (MAX_BASELINE_BYTES + 1), "more than the"),
        (b'{"schemaVersion": 1, "accepted": ' + b"[" * 100 + b"]" * 100 + b"}", "nested deeper"),
    ],
)
def test_what_is_no_baseline_is_refused_with_the_reason(data: bytes, why: str) -> None:
    with pytest.raises(BaselineError, match=why):
        read_baseline(data)


def test_members_that_a_later_program_adds_are_left() -> None:
    data = entry(rule="a", fingerprint="0123456789abcdef", note="x")
    assert list(read_baseline(data).entries) == ["0123456789abcdef"]
