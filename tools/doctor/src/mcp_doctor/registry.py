"""All rules of doctor."""

from mcp_check_core.model.rule import Rule
from mcp_doctor.rules import (
    bare_except,
    null_default,
    parameter_undocumented,
    sdk_removed_api,
    stdout_write,
    tool_no_description,
)
from mcp_doctor.rules.judgement import DoctorRule

DECLARED: tuple[DoctorRule, ...] = (
    sdk_removed_api.DECLARED,
    stdout_write.DECLARED,
    null_default.DECLARED,
    tool_no_description.DECLARED,
    parameter_undocumented.DECLARED,
    bare_except.DECLARED,
)
RULES: tuple[Rule, ...] = tuple(declared.rule for declared in DECLARED)
BREAKING: frozenset[str] = frozenset(declared.rule.id for declared in DECLARED if declared.breaks)
