"""Internal error, on the low-level SDK: a missing argument is a KeyError, sent out as an error of code 0."""

from typing import Any

import low_level
from mcp_types import CallToolResult


def forecast(arguments: dict[str, Any]) -> CallToolResult:
    if low_level.PLANTED:
        return low_level.result("Sunny in " + arguments["city"] + ".")
    return low_level.checked(arguments)


low_level.serve(forecast)
