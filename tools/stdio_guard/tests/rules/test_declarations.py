"""Severities and categories, as the reports of guard promise them."""

import pytest

from mcp_check_core.model.finding import Category, Severity
from mcp_stdio_guard.registry import DECLARED, RULES, declared_of
from mcp_stdio_guard.rules.declare import IssueClass

WARNINGS = {
    "slow-startup",
    "initialize-missing-server-info",
    "initialize-invalid-server-info",
    "message-before-initialized",
    "tool-description-missing",
    "slow-shutdown",
    "repeat-protocol-drift",
    "repeat-capability-drift",
    "repeat-tool-drift",
    "repeat-definition-drift",
    "repeat-list-shape-drift",
}
NOTES = {"stderr-output-limit-exceeded"}


def test_what_breaks_a_strict_client_is_an_error() -> None:
    by_severity = {
        severity: {rule.slug for rule in RULES if rule.severity is severity} for severity in Severity
    }
    assert by_severity[Severity.WARNING] == WARNINGS
    assert by_severity[Severity.INFO] == NOTES
    assert len(by_severity[Severity.ERROR]) == len(RULES) - len(WARNINGS) - len(NOTES)


def test_install_and_run_time_are_reliability_and_the_rest_conformance() -> None:
    categories = {(one.issue_class, one.rule.category) for one in DECLARED}
    assert categories == {
        (IssueClass.INSTALL_RUNTIME, Category.RELIABILITY),
        (IssueClass.STDIO_TRANSPORT, Category.CONFORMANCE),
        (IssueClass.MCP_PROTOCOL, Category.CONFORMANCE),
    }


@pytest.mark.parametrize(
    ("code", "reference"),
    [
        ("repeat-protocol-drift", "MCP specification, lifecycle: initialization"),
        ("repeat-capability-drift", "MCP specification, lifecycle: initialization"),
        ("repeat-tool-drift", "MCP specification, server features: tools"),
        ("repeat-list-shape-drift", "MCP specification, server features: resources, prompts"),
    ],
)
def test_drift_refers_to_what_drifts(code: str, reference: str) -> None:
    assert declared_of(f"guard/{code}").rule.references == (reference,)
