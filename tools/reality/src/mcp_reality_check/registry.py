"""All rules of this tool, in the order of the report."""

from collections.abc import Iterator
from typing import Protocol

from mcp_check_core.model.finding import Finding
from mcp_check_core.model.rule import Rule
from mcp_check_core.wire.no_connection import RULE as NO_CONNECTION
from mcp_reality_check.facts.call import ToolCalls
from mcp_reality_check.rules import (
    call_crashed,
    call_timeout,
    content_invalid,
    count_mismatch,
    dead_resource_link,
    disguised_refusal,
    echo_mismatch,
    empty_success,
    error_as_success,
    error_masked,
    input_ignored,
    placeholder,
    schema_violation,
    stack_trace,
    text_structured_mismatch,
    unconfirmed_write,
)


class RuleModule(Protocol):
    """A module that declares one rule and looks for it in the calls of one tool."""

    RULE: Rule

    def check(self, facts: ToolCalls) -> Iterator[Finding]:
        """Find what breaks the rule."""


ENDING_RULES: tuple[RuleModule, ...] = (call_crashed, call_timeout, error_masked)
"""The modules whose rules judge how a call ended."""

ANSWER_RULES: tuple[RuleModule, ...] = (
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
    echo_mismatch,
    unconfirmed_write,
)
"""The modules whose rules judge what a success holds."""

TOOL_RULES: tuple[RuleModule, ...] = (*ENDING_RULES, *ANSWER_RULES)
EARLY_RULES = tuple(module for module in TOOL_RULES if module is not call_timeout)
"""Those that need not know of the calls of other tools."""

RULES = (NO_CONNECTION, *(module.RULE for module in TOOL_RULES))
