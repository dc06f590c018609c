"""B13, on the low-level SDK: one bad call leaves a state behind in which each later call fails."""

from typing import Any

import low_level
from mcp_types import CallToolResult

BROKEN: list[str] = []


def forecast(arguments: dict[str, Any]) -> CallToolResult:
    if BROKEN:
        raise RuntimeError("cannot operate on a closed session")
    result = low_level.checked(arguments)
    if low_level.PLANTED and result.is_error:
        BROKEN.append("session")
    return result


low_level.serve(forecast)
