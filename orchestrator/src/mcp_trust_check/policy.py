"""What suppressions and a baseline hold back of what the tools found, before anything is concluded."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mcp_check_core.model.json_value import Json
from mcp_check_core.model.report import Report, Suppressed
from mcp_check_core.report.document import finding_from_document
from mcp_check_core.report.policy import Policy
from mcp_trust_check.decision import NO_CONNECTION
from mcp_trust_check.render.report import answers, merged_report
from mcp_trust_check.tool_state import State, ToolState


def hold_back(state: ToolState, policy: Policy) -> ToolState:
    """Take out of a tool's findings what is held back.

    A tool that had no session with the server and may not say so has seen nothing: it did not answer.
    """
    reasons = [(finding, policy.reason(finding)) for finding in state.findings]
    held = tuple(Suppressed(finding, reason) for finding, reason in reasons if reason is not None)
    if not held:
        return state
    kept = tuple(finding for finding, reason in reasons if reason is None)
    without = replace(state, findings=kept, held=held)
    silenced = next((one.finding for one in held if one.finding.rule_id in NO_CONNECTION), None)
    if silenced is None or state.state is not State.COMPLETE:
        return without
    reason = f"there was no session with the server, and {silenced.rule_id}, which says so, is held back"
    return replace(without, state=State.INCOMPLETE, reason=reason)


def account(document: Mapping[str, Json], states: Sequence[ToolState]) -> Report:
    """Make the report by which entries are counted: each finding of each tool stands for itself.

    A fault that two tools see has two fingerprints, and a baseline has to hold both.
    """
    findings = tuple(finding for state in states for finding in state.findings)
    held = tuple(one for state in states for one in (*state.held, *_own(state)))
    report = merged_report(document)
    return replace(report, findings=findings, suppressed=held, rules=tuple(answers(document)))


def _own(state: ToolState) -> list[Suppressed]:
    """Read what a tool held back itself."""
    items = state.document.get("suppressed") if state.document else None
    listed = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return [Suppressed(finding_from_document(item), str(item["reason"])) for item in listed]
