"""Accepted, on the low-level SDK: nothing checks the arguments, and any call succeeds."""

from typing import Any

import low_level
from mcp_types import CallToolResult


def forecast(arguments: dict[str, Any]) -> CallToolResult:
    if low_level.PLANTED:
        return low_level.result(f"Sunny in {arguments.get('city')}.")
    return low_level.checked(arguments)


low_level.serve(forecast)
