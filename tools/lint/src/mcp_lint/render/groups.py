"""Findings in the groups in which a person mends them: one group a rule and kind."""

from collections.abc import Sequence
from dataclasses import dataclass

from mcp_check_core.model.finding import Finding, Severity
from mcp_check_core.report.wording import place

_EACH = frozenset(
    {
        "lint/S4", "lint/S6", "lint/S8", "lint/S9", "lint/lock", "lint/lock-clients", "lint/lock-repeat",
        "core/no-connection",
    }
)  # fmt: skip
"""Rules whose findings differ so that each is shown with its own words."""
_ALIKE = frozenset({"null-default", "required-undeclared"})
"""Kinds of these that are alike all the same."""
PLACES_SHOWN = 12
EACH_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one rule, kind and severity, in the order of the report."""

    rule: str
    kind: str | None
    severity: Severity
    findings: tuple[Finding, ...]

    @property
    def label(self) -> str:
        """The rule's slug, and the kind."""
        slug = self.rule.removeprefix("lint/")
        return f"{slug} {self.kind}" if self.kind else slug

    @property
    def each(self) -> bool:
        """Whether each finding is shown with its own words."""
        return self.rule in _EACH and self.kind not in _ALIKE


def group(findings: Sequence[Finding]) -> list[Group]:
    """Group findings, the worst first, then by rule and kind."""
    groups: dict[tuple[int, str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.severity.rank, finding.rule_id, finding.kind or ""), []).append(finding)
    return [
        Group(rule, kind or None, members[0].severity, tuple(members))
        for (_, rule, kind), members in sorted(groups.items())
    ]


def places(findings: Sequence[Finding]) -> str:
    """Name the places of a group: tools, with their parameters in brackets."""
    by_tool: dict[str, list[str]] = {}
    for finding in findings:
        parameters = by_tool.setdefault(finding.location.tool or place(finding.location), [])
        if finding.location.parameter is not None and finding.location.parameter not in parameters:
            parameters.append(finding.location.parameter)
    shown = [
        f"{tool}({_some(parameters)})" if parameters else tool
        for tool, parameters in list(by_tool.items())[:PLACES_SHOWN]
    ]
    more = len(by_tool) - PLACES_SHOWN
    return ", ".join(shown) + (f" and {more} more tools" if more > 0 else "")


def _some(names: Sequence[str]) -> str:
    more = len(names) - 6
    return ", ".join(names[:6]) + (f" and {more} more" if more > 0 else "")
