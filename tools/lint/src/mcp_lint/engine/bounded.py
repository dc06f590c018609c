"""Bounds of a finding: whatever a server sends, what is kept of it is small."""

from dataclasses import replace

from mcp_check_core.model.bounds import cut_text, cut_value
from mcp_check_core.model.finding import Finding

MESSAGE_BOUND = 1_000
POINTER_BOUND = 400
NAME_BOUND = 200


def bounded(finding: Finding) -> Finding:
    """Cut message, place and evidence of a finding where they are longer than the bounds."""
    at = finding.location
    return replace(
        finding,
        message=cut_text(finding.message, MESSAGE_BOUND),
        location=replace(
            at,
            tool=at.tool and cut_text(at.tool, 2 * NAME_BOUND),
            parameter=at.parameter and cut_text(at.parameter, NAME_BOUND),
            pointer=at.pointer and cut_text(at.pointer, POINTER_BOUND),
        ),
        evidence={name: cut_value(value) for name, value in finding.evidence.items()},
    )
