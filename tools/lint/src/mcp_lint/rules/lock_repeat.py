"""The rule `lock-repeat`: a second start shows other definitions."""

from mcp_check_core.judges.change_kinds import ChangeKind
from mcp_check_core.model.finding import Category, Severity
from mcp_lint.rules.declare import declare

RULE = declare(
    "lock-repeat",
    "A second start shows other definitions",
    Severity.ERROR,
    Category.SECURITY,
    kinds=tuple(kind.value for kind in ChangeKind),
    references=("MCP specification 2026-07-28, tools/list: the list does not depend on the connection",),
    owasp_mcp=(3,),
)
