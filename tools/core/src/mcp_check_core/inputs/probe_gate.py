"""Whether a call of a fixtures file may be made."""

from mcp_check_core.inputs.arguments import InputSchema
from mcp_check_core.inputs.fixtures import Probe
from mcp_check_core.model.json_value import Json
from mcp_check_core.model.tool import ToolDefinition

_BLOCKING = ("required", "type", "anyOf", "oneOf")
"""Keywords that a missing or wrong-typed argument breaks."""


def blocked(
    probe: Probe, tool: ToolDefinition | None, arguments: dict[str, Json], inputs: InputSchema
) -> str | None:
    """Say why a call is not made, None where it is.

    A tool counts as read-only by `readOnlyHint: true` alone. `expect_error` lets bad arguments and unknown
    tools through, and never a tool that is not read-only.
    """
    if probe.skip:
        return "its skip is true"
    if tool is None:
        return None if probe.expect_error else "the server lists no tool of this name"
    if not tool.read_only and not probe.allow_destructive:
        return "the tool is not annotated readOnlyHint: true, and allow_destructive is not set"
    if probe.expect_error:
        return None
    faults = [fault for fault in inputs.validator.explain(arguments) if fault.keyword in _BLOCKING]
    return f"its arguments break the input schema at {faults[0].pointer or '/'}" if faults else None
