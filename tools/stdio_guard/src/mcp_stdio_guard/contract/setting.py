"""What the command line asked for, as far as the report repeats it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_stdio_guard.plan import Plan

if TYPE_CHECKING:
    from mcp_check_core.cli.server import Server


@dataclass(frozen=True, slots=True)
class Setting:
    """The server, the plan, the time-out of a request, and the names of inherited variables."""

    server: "Server"
    plan: Plan
    timeout_ms: int
    inherited: tuple[str, ...] = ()
