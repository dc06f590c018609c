"""One finding for each parameter of a tool: the first call shows it, further ones are counted.

Where a valid call of the tool ends in the same way, the parameter has no part in it, and the finding is that
of the valid call.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass

from mcp_check_core.model.bounds import cut_text, cut_value
from mcp_check_core.model.finding import Location
from mcp_check_core.model.json_value import Json
from mcp_fuzz.facts.call import Call
from mcp_fuzz.facts.case import Phase, Validity

PARAMETER_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Group:
    """Calls of one tool that show one defect: the first, and how many there are."""

    first: Call
    cases: int

    @property
    def location(self) -> Location:
        """Where the defect is: the tool and the parameter under test."""
        return location_of(self.first)

    def evidence(self, **more: Json) -> dict[str, Json]:
        """Give what was sent and seen; empty members of `more` are left out."""
        shown: dict[str, Json] = {"case": self.first.case.label}
        if self.first.case.phase is not Phase.LIST:
            shown["arguments"] = cut_value(self.first.case.arguments)
        shown |= {name: value for name, value in more.items() if value not in (None, "", {})}
        if self.cases > 1:
            shown["cases"] = self.cases
        return shown


def group(
    calls: Iterable[Call],
    key: Callable[[Call], str | None] = lambda _: None,
    *,
    cause: Callable[[Call], Hashable] | None = None,
) -> Iterator[Group]:
    """Group the calls of one tool by parameter and, within one, by `key`, in the order in which they began.

    `cause` is what two calls that end for the same reason have in common; without it nothing is folded into
    the valid call.
    """
    held = list(calls)
    shown = {cause(call) for call in held if call.case.phase is Phase.VALID} if cause else set()
    groups: dict[tuple[str | None, str | None], list[Call]] = {}
    for call in held:
        folded = cause is not None and cause(call) in shown
        groups.setdefault((None if folded else call.case.parameter, key(call)), []).append(call)
    for members in groups.values():
        yield Group(members[0], len(members))


def location_of(call: Call) -> Location:
    """Say where a call points: its tool, and the parameter under test if there is one."""
    parameter = call.case.parameter
    return Location(
        tool=call.case.tool or None,
        parameter=None if parameter is None else cut_text(parameter, PARAMETER_CHARACTERS),
    )


def deed(call: Call) -> str:
    """Say in words what was sent: `a valid call`, `a call without a`, `a call with a string for a`."""
    case = call.case
    name = cut_text(case.parameter or "arguments", 80)
    match case.phase:
        case Phase.MISSING:
            return f"a call without {name}"
        case Phase.WRONG_TYPE:
            return f"a call with {with_article(case.sent)} for {name}"
        case Phase.LIST:
            return "tools/list"
        case _:
            return "a valid call" if case.validity is Validity.VALID else "a call"


def with_article(value: Json) -> str:
    """Name the JSON type of a value with its article."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int():
            return "an integer"
        case float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "an array"
        case _:
            return "an object"
