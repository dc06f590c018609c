"""All rules of this tool, in the order of the report."""

from mcp_check_core.wire.no_connection import RULE as NO_CONNECTION
from mcp_reality_check.rules import (
    call_crashed,
    call_timeout,
    content_invalid,
    count_mismatch,
    dead_resource_link,
    disguised_refusal,
    empty_success,
    error_as_success,
    error_masked,
    input_ignored,
    placeholder,
    schema_violation,
    stack_trace,
    text_structured_mismatch,
)

ENDING_RULES = (call_crashed, call_timeout, error_masked)
"""The modules whose rules judge how a call ended."""

ANSWER_RULES = (
    disguised_refusal,
    error_as_success,
    empty_success,
    placeholder,
    stack_trace,
    schema_violation,
    text_structured_mismatch,
    content_invalid,
    count_mismatch,
    dead_resource_link,
    input_ignored,
)
"""The modules whose rules judge what a success holds."""

TOOL_RULES = (*ENDING_RULES, *ANSWER_RULES)

RULES = (NO_CONNECTION, *(module.RULE for module in TOOL_RULES))
