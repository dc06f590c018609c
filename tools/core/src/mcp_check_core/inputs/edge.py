"""Both sides of one constraint."""

from dataclasses import dataclass

from mcp_check_core.model.json_value import Json


@dataclass(frozen=True, slots=True)
class Edge:
    """Both sides of one constraint: values outside, best first, and one inside where the base is not one.

    `reason` says why there is nothing outside, where there is not.
    """

    keyword: str
    outside: tuple[Json, ...] = ()
    inside: tuple[Json, ...] = ()
    reason: str = ""
