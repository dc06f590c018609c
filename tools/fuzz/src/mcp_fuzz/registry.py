"""All rules of this tool, in the order of the report."""

from mcp_check_core.wire.no_connection import RULE as NO_CONNECTION
from mcp_fuzz.rules import (
    accepted_invalid,
    crash,
    internal_error,
    malformed_response,
    process_left_behind,
    response_too_large,
    timeout,
)

TOOL_RULES = (
    crash,
    timeout,
    internal_error,
    malformed_response,
    accepted_invalid,
    response_too_large,
)
"""The modules whose rules judge the calls of a tool."""

OVER_ALL_TOOLS = (internal_error,)
"""Those of them that look at all tools together, when the calls have been made."""

RULES = (NO_CONNECTION, *(module.RULE for module in TOOL_RULES), process_left_behind.RULE)
