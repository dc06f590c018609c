"""All rules of lint, in the order of the report."""

from mcp_check_core.model.rule import Rule
from mcp_check_core.wire.no_connection import RULE as NO_CONNECTION
from mcp_lint.rules import (
    lock,
    lock_clients,
    lock_repeat,
    s1_description,
    s2_vague_parameter,
    s3_parameter,
    s4_confusable,
    s5_naming,
    s6_definition_size,
    s7_unbounded_list,
    s8_hidden_text,
    s9_loading,
    s10_portability,
    s11_annotations,
    s12_scope,
    s13_contradiction,
)
from mcp_lint.rules.declare import Judged

STATIC: tuple[Judged, ...] = (
    s1_description.JUDGED,
    s2_vague_parameter.JUDGED,
    s3_parameter.JUDGED,
    s4_confusable.JUDGED,
    s5_naming.JUDGED,
    s6_definition_size.JUDGED,
    s7_unbounded_list.JUDGED,
    s8_hidden_text.JUDGED,
    s9_loading.JUDGED,
    s10_portability.JUDGED,
    s11_annotations.JUDGED,
    s12_scope.JUDGED,
    s13_contradiction.JUDGED,
)
"""The rules that judge definitions alone."""

LOCK = lock.RULE
LOCK_CLIENTS = lock_clients.RULE
LOCK_REPEAT = lock_repeat.RULE
RULES: tuple[Rule, ...] = (NO_CONNECTION, *(one.rule for one in STATIC), LOCK, LOCK_CLIENTS, LOCK_REPEAT)
