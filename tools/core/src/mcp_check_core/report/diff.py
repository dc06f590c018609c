"""What changed between two documents: new, resolved and changed findings, and what cannot be told.

It reads the document of a tool, and the merged one, which holds those of the tools under `tools`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import RuleResult
from mcp_check_core.report.document import (
    answered,
    finding_document,
    finding_from_document,
    in_order,
    rule_from_document,
)


class DiffError(Exception):
    """Two documents cannot be compared; the message is one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A finding that is in both, with the members that differ: `severity`, `message` or both."""

    before: Finding
    after: Finding
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """What became of the findings from the first document to the second, each in the order of a report.

    `held_back` are gone from the findings because a suppression or baseline holds them back now. `untold`
    are not there any more, but their rule did not answer: nobody knows whether they are resolved.
    """

    new: tuple[Finding, ...]
    resolved: tuple[Finding, ...]
    changed: tuple[Changed, ...]
    held_back: tuple[Finding, ...]
    untold: tuple[Finding, ...]
    unchanged: int

    @property
    def empty(self) -> bool:
        """Tell whether nothing differs and nothing is untold."""
        return not (self.new or self.resolved or self.changed or self.held_back or self.untold)


def difference(before: Mapping[str, Json], after: Mapping[str, Json]) -> Difference:
    """Compare two documents of one tool. Raises DiffError where they are of two, or are no reports."""
    names = [_tool_name(document) for document in (before, after)]
    if names[0] != names[1]:
        raise DiffError(f"the first is a report of {names[0]}, the second one of {names[1]}")
    old, new = _findings(before, "findings", "first"), _findings(after, "findings", "second")
    held = _findings(after, "suppressed", "second")
    told = answered(_rules(after))
    gone = [finding for fingerprint, finding in old.items() if fingerprint not in new]
    free = [one for one in gone if one.fingerprint not in held]
    both = [(old[fingerprint], new[fingerprint]) for fingerprint in old if fingerprint in new]
    changed = [change for pair in both if (change := _changed(*pair))]
    return Difference(
        new=tuple(in_order(one for fingerprint, one in new.items() if fingerprint not in old)),
        resolved=tuple(in_order(one for one in free if told.get(one.rule_id, False))),
        changed=tuple(sorted(changed, key=lambda change: change.after.sort_key())),
        held_back=tuple(in_order(one for one in gone if one.fingerprint in held)),
        untold=tuple(in_order(one for one in free if not told.get(one.rule_id, False))),
        unchanged=len(both) - len(changed),
    )


def difference_document(found: Difference) -> dict[str, Json]:
    """Write a difference as JSON."""
    changed: list[Json] = [
        {
            "members": list(change.members),
            "before": finding_document(change.before),
            "after": finding_document(change.after),
        }
        for change in found.changed
    ]
    return {
        "schemaVersion": 1,
        "new": [finding_document(one) for one in found.new],
        "resolved": [finding_document(one) for one in found.resolved],
        "changed": changed,
        "heldBack": [finding_document(one) for one in found.held_back],
        "untold": [finding_document(one) for one in found.untold],
        "unchanged": found.unchanged,
    }


def _tool_name(document: Mapping[str, Json]) -> str:
    match document:
        case {"tool": {"name": str(name)}, "findings": list()}:
            return name
    raise DiffError("one of them is no report: tool.name or findings is missing")


def _findings(document: Mapping[str, Json], member: str, which: str) -> dict[str, Finding]:
    items = document.get(member, [])
    found: dict[str, Finding] = {}
    try:
        for item in items if isinstance(items, list) else []:
            if not isinstance(item, dict):
                raise ValueError("it is not an object")  # noqa: TRY004 - a document is wrong, not a call
            finding = finding_from_document(item)
            found.setdefault(finding.fingerprint, finding)
    except ValueError as error:
        raise DiffError(f"a finding of the {which} cannot be read: {error}") from error
    return found


def _rules(document: Mapping[str, Json]) -> Iterator[RuleResult]:
    items = document.get("rules")
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict):
            try:
                yield rule_from_document(item)
            except ValueError as error:
                raise DiffError(f"a rule of the second cannot be read: {error}") from error
    tools = document.get("tools")
    for tool in tools.values() if isinstance(tools, dict) else ():
        inner = tool.get("document") if isinstance(tool, dict) else None
        if isinstance(inner, dict):
            yield from _rules(inner)


def _changed(before: Finding, after: Finding) -> Changed | None:
    pairs = (
        ("severity", before.severity is not after.severity),
        ("message", before.message != after.message),
    )
    members = tuple(name for name, differs in pairs if differs)
    return Changed(before, after, members) if members else None
