"""Declarations of rules as a file."""

import json

import pytest

from mcp_check_core.model.finding import Category, Severity
from mcp_check_core.model.rule import Rule
from mcp_check_core.report.rule_file import read_rules, rules_difference, rules_text

FULL = Rule(
    id="fizz/odd",
    title="Odd",
    severity=Severity.WARNING,
    category=Category.SECURITY,
    since="2.1.0",
    kinds=("one", "two"),
    defect="stdout-noise",
    references=("a page",),
    cwe=(78,),
    owasp_mcp=(5,),
)
PLAIN = Rule("fizz/plain", "Plain", Severity.ERROR, Category.FIDELITY)


def test_what_is_written_is_read_back() -> None:
    assert read_rules(json.loads(rules_text((FULL, PLAIN)))) == (FULL, PLAIN)


def test_members_of_a_later_version_are_left() -> None:
    document = json.loads(rules_text((PLAIN,)))
    document["rules"][0]["later"] = {"a": 1}
    assert read_rules(document) == (PLAIN,)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"rules": {}},
        {"rules": ["text"]},
        {"rules": [{"id": "fizz/odd"}]},
        {"rules": [{**json.loads(rules_text((PLAIN,)))["rules"][0], "severity": "fatal"}]},
    ],
)
def test_what_is_no_declaration_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"rule 1|no list|fatal"):
        read_rules(document)  # type: ignore[arg-type]


def test_a_difference_is_told() -> None:
    text = rules_text((FULL, PLAIN))
    assert rules_difference(text, (FULL, PLAIN)) == ""
    assert '"title": "Plain"' in rules_difference(text, (FULL,))
    assert rules_difference(text.replace("\n", "\r\n"), (FULL, PLAIN)) == "they differ in their line ends"
